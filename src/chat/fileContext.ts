import { passagesWithin, withHeadings } from "../analysis/passages.js";
import type { UploadedFile } from "../readModels/uploadedFiles.js";
import type { Email, FileId } from "../shared/ids.js";
import { failed, ok, type Result } from "../shared/result.js";
import { isBlank } from "../shared/texts.js";
import type { Evidence } from "./chat.js";
import type { ContentReference } from "../events/document.js";

/** Uploaded files, each to be asked for by its owner alone. */
export interface FileTexts {
  /** null: there is none, or it is somebody else's. */
  find(owner: Email, fileId: FileId): Promise<Pick<UploadedFile, "fileId" | "name" | "uploadedAt"> | null>;
  readText(owner: Email, fileId: FileId): Promise<string | null>;
}

interface FileQuestion {
  readonly person: Email;
  readonly files: readonly FileId[];
  readonly question: string;
  /** How many characters of all files together may be handed on. */
  readonly budget: number;
  readonly signal?: AbortSignal;
}

/** What a file says about a question. */
export interface FileExcerpt {
  readonly fileId: FileId;
  readonly name: string;
  /** Its whole text, or passages of it in their order. Empty where nothing was read in the file. */
  readonly evidence: readonly Evidence[];
  /** How many characters its whole text has. */
  readonly characters: number;
  /** Whether the evidence leaves out any of them. */
  readonly isTruncated: boolean;
}

interface FileNotFound {
  readonly type: "FileNotFound";
  readonly fileId: FileId;
}

/**
 * What uploaded files say about a question, as their owner reads them, in their order. A file that fits into its share
 * of the budget is handed on whole. A longer file gives the passages that answer best, wherever they stand in it; where
 * no word of the question is in it, the passages at its beginning.
 */
export async function fileContext(
  texts: FileTexts,
  { person, files, question, budget, signal }: FileQuestion,
): Promise<Result<readonly FileExcerpt[], FileNotFound>> {
  const read: MeasuredFile[] = [];
  for (const fileId of files) {
    const [file, text] = [await texts.find(person, fileId), await texts.readText(person, fileId)];
    if (file === null || text === null) return failed({ type: "FileNotFound", fileId });
    read.push({ file, characters: text.length });
  }
  const shares = sharesOf(
    read.map(({ characters }) => characters),
    budget,
  );
  const excerpts: FileExcerpt[] = [];
  for (const [at, { file }] of read.entries()) {
    signal?.throwIfAborted();
    const text = await texts.readText(person, file.fileId);
    if (text === null) return failed({ type: "FileNotFound", fileId: file.fileId });
    excerpts.push(await excerptOf({ file, text }, question, shares[at] ?? 0, signal));
  }
  return ok(excerpts);
}

/** Files are read twice, since all their texts together may be more than memory holds. */
interface MeasuredFile {
  readonly file: Pick<UploadedFile, "fileId" | "name" | "uploadedAt">;
  readonly characters: number;
}

interface ReadFile extends Pick<MeasuredFile, "file"> {
  readonly text: string;
}

/** Short ones get what they need, and the longer ones equal parts of what is left. */
function sharesOf(lengths: readonly number[], budget: number): readonly number[] {
  const shares = lengths.map(() => 0);
  let [left, waiting] = [budget, lengths.length];
  for (const at of [...lengths.keys()].sort((a, b) => (lengths[a] ?? 0) - (lengths[b] ?? 0))) {
    const share = Math.min(lengths[at] ?? 0, Math.floor(left / waiting));
    shares[at] = share;
    left -= share;
    waiting -= 1;
  }
  return shares;
}

async function excerptOf(
  { file: { fileId, name, uploadedAt }, text }: ReadFile,
  question: string,
  share: number,
  signal: AbortSignal | undefined,
): Promise<FileExcerpt> {
  const isWhole = text.length <= share;
  const parts = isWhole
    ? [text]
    : (await passagesWithin(share, question, { text, title: name }, signal)).map(withHeadings);
  const evidence = parts
    .filter((part) => !isBlank(part))
    .map((part): Evidence => ({ kind: "file", id: fileId, url: null, title: name, text: part, date: uploadedAt }));
  return { fileId, name, evidence, characters: text.length, isTruncated: !isWhole };
}

/** People's files, each to be asked for by its owner alone. */
export interface AttachedFiles {
  /** Null where there is none, where it was erased, and where it is somebody else's. */
  find(owner: Email, fileId: FileId): Promise<UploadedFile | null>;
  /** Null as `find` says it. */
  readText(owner: Email, fileId: FileId): Promise<string | null>;
  /** Piece by piece. Null where they were erased meanwhile. */
  readBytes(fileId: FileId, reference: ContentReference): Promise<AsyncIterable<Uint8Array> | null>;
}
