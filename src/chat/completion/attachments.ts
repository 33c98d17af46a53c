import { buffer } from "node:stream/consumers";
import type { UploadedFile } from "../../readModels/uploadedFiles.js";
import type { FileId } from "../../shared/ids.js";
import { ChatFailure, type CompletionRequest } from "../chat.js";
import { fileContext, type FileExcerpt, type AttachedFiles } from "../fileContext.js";
import type { PromptPart } from "../ports/modelUpstream.js";
import type { Finding } from "../tools/searches.js";
import { toSource } from "../tools/searches.js";
import { type Fence, questionOf } from "./prompt.js";
import type { SourceList } from "./citations.js";
import { charactersOf } from "./contextWindow.js";

/** What the files of a request say about its question. */
export interface Attached {
  readonly excerpt: FileExcerpt;
  /** The texts of the excerpt. */
  readonly findings: readonly Finding[];
  /** The image as a `data:` URL; null: the file is none, or the model takes none. */
  readonly image: string | null;
}

/** So much of a model's context may be files. */
const shareOfContext = 0.5;

/** The same where nobody says how much a model takes. */
const usualCharacters = 24_000;

/** What models are given as an image. */
const imageTypes: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** Servers of models refuse larger ones. */
const largestImage = 10_000_000;

/** And of all images of a request, which are held at once. */
const largestImages = 20_000_000;

interface AttachmentOptions {
  readonly contextTokens: number | null;
  readonly takesImages: boolean;
}

/** Reads the files of a request as its person. Throws a `ChatFailure` (404) where one is not theirs. */
export async function readAttachments(
  files: AttachedFiles,
  { person, files: asked, turns, origin }: Pick<CompletionRequest, "person" | "files" | "turns" | "origin">,
  { contextTokens, takesImages }: AttachmentOptions,
  signal: AbortSignal,
): Promise<readonly Attached[]> {
  if (asked.length === 0) return [];
  const budget = contextTokens === null ? usualCharacters : charactersOf(contextTokens * shareOfContext);
  const question = questionOf(turns);
  const excerpts = await fileContext(files, { person, files: asked, question, budget, signal });
  if (!excerpts.ok) throw fileNotFound(excerpts.error.fileId);
  const attached: Attached[] = [];
  let room = takesImages ? largestImages : 0;
  for (const excerpt of excerpts.value) {
    const file = room > 0 ? await files.find(person, excerpt.fileId) : null;
    const image = await imageOf(files, file, Math.min(room, largestImage));
    room -= image === null ? 0 : (file?.content.bytes ?? 0);
    const findings = excerpt.evidence.map((one) => ({ ...one, url: addressOf(origin, excerpt), path: null }));
    attached.push({ excerpt, findings, image });
  }
  return attached;
}

const fileNotFound = (id: FileId): ChatFailure =>
  new ChatFailure({
    ...{ status: 404, code: "file_not_found", param: "metadata.files" },
    message: `There is no file with the id ${JSON.stringify(id)}.`,
  });

const addressOf = (origin: string, { fileId }: FileExcerpt): string =>
  `${origin}/api/beta/files/${encodeURIComponent(fileId)}/content`;

async function imageOf(files: AttachedFiles, file: UploadedFile | null, mostBytes: number): Promise<string | null> {
  if (file === null || !imageTypes.has(file.facts.mimeType) || file.content.bytes > mostBytes) return null;
  const bytes = await files.readBytes(file.fileId, file.content);
  return bytes && `data:${file.facts.mimeType};base64,${(await buffer(bytes)).toString("base64")}`;
}

/** The files as a model is shown them: their texts fenced and numbered. */
export function shownFiles(attached: readonly Attached[], sources: SourceList, fence: Fence): readonly PromptPart[] {
  return attached.flatMap(({ excerpt, findings, image }): readonly PromptPart[] => {
    const name = JSON.stringify(fence.without(excerpt.name));
    if (image !== null) return [text(`An image named ${name} follows.`), { kind: "image", url: image }];
    if (findings.length === 0)
      return [text(`(There is a file named ${name} in which no text was read: you cannot see it.)`)];
    const part = excerpt.isTruncated ? "passages of a file" : "a file";
    const shown = findings.map((finding) => {
      const number = sources.add(toSource(finding, finding.text));
      return `[${number}]\n${fence.around(finding.text)}`;
    });
    return [text([`Here is ${part} named ${name}.`, ...shown].join("\n"))];
  });
}

const text = (said: string): PromptPart => ({ kind: "text", text: said });
