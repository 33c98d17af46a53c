import { setImmediate as nextTurn } from "node:timers/promises";
import { analyseDocument } from "../../src/analysis/analyseDocument.js";
import { searchedTextsOf } from "../../src/analysis/searchedTexts.js";
import type { DocumentIndexed } from "../../src/events/document.js";
import { documentStream } from "../../src/events/streams.js";
import type { DatasourceId, PrincipalToken } from "../../src/shared/ids.js";
import { epochMilliseconds } from "../../src/shared/instant.js";
import type { PrincipalTokens } from "../../src/shared/principalTokens.js";
import type { ContentReader } from "../ports.js";
import type { DocumentChange, AnalyseDocument, PreparedChange } from "./ports.js";
import type { SearchFileType } from "../../src/readModels/search.js";
import { textFormatOf } from "../../src/shared/textFormat.js";

export interface PreparationSources {
  readonly contents: ContentReader;
  readonly tokens: PrincipalTokens;
}

/** How many texts are asked for at once. */
const concurrentReads = 32;
/** So many documents are analysed at a stretch, some milliseconds: the batch before is being written meanwhile. */
const analysedAtOnce = 4;

/** Title, text, the values of the searched properties, file name, author and folders become words. */
export const analyse: AnalyseDocument = (document, searchable) => {
  const others = searchedTextsOf(document, searchable);
  const texts = others.filter(({ field }) => field !== "folder").map(({ text }) => text);
  const folders = others.find(({ field }) => field === "folder")?.text;
  return analyseDocument({ title: document.title, texts: [document.text, ...texts], folders });
};

/**
 * Loads the texts of the documents that a batch leaves indexed, and analyses them. A text that is gone belongs to a
 * version that a later event replaced or deleted. The old row goes meanwhile, so that no earlier and perhaps wider
 * access is served; the later event brings the new state.
 */
export async function prepareDocuments(
  changes: readonly DocumentChange[],
  searchable: ReadonlyMap<DatasourceId, ReadonlySet<string>>,
  sources: PreparationSources,
): Promise<readonly PreparedChange[]> {
  const prepared: PreparedChange[] = [];
  for (let from = 0; from < changes.length; from += concurrentReads) {
    const some = changes.slice(from, from + concurrentReads);
    const texts = await Promise.all(some.map((change) => textOf(change, searchable, sources)));
    for (const [at, change] of some.entries()) {
      if (at % analysedAtOnce === 0) await nextTurn();
      prepared.push(prepare(change, texts[at] ?? null, searchable, sources));
    }
  }
  return prepared;
}

/** null: nothing of it is to be found any more. */
async function textOf(
  change: DocumentChange,
  searchable: ReadonlyMap<DatasourceId, unknown>,
  { contents }: PreparationSources,
): Promise<string | null> {
  if (change.kind === "documentRemoved") return null;
  const { datasourceId, documentId, content: reference } = change.document;
  if (!searchable.has(datasourceId)) return null;
  return contents.read({ stream: documentStream(datasourceId, documentId), reference }, change.position);
}

function prepare(
  change: DocumentChange,
  text: string | null,
  searchable: ReadonlyMap<DatasourceId, ReadonlySet<string>>,
  { tokens }: PreparationSources,
): PreparedChange {
  const { datasourceId, documentId } = change.kind === "documentRemoved" ? change : change.document;
  const properties = searchable.get(datasourceId);
  if (change.kind === "documentRemoved" || text === null || properties === undefined)
    return { kind: "remove", datasourceId, documentId };
  const { document, position, indexedAt } = change;
  return {
    kind: "put",
    prepared: {
      position,
      indexedAt,
      document,
      tokens: tokensOf(document, tokens),
      searchFileType: searchFileType(document.fileType, document.mimeType),
      modified: document.lastModified === null ? null : epochMilliseconds(document.lastModified),
      text,
      analysed: analyse({ ...document, text }, properties),
    },
  };
}

/** The access list as minted tokens (spec: Visibility rules, 2 and 3): a union of grants; no grant, no token. */
function tokensOf(
  { datasourceId, access }: Pick<DocumentIndexed["data"], "datasourceId" | "access">,
  tokens: PrincipalTokens,
): readonly PrincipalToken[] {
  const minted = [
    ...(access.anonymous ? [tokens.anonymous(datasourceId)] : []),
    ...access.users.map((email) => tokens.user(datasourceId, email)),
    ...access.groups.map((name) => tokens.group(datasourceId, name)),
  ];
  return [...new Set(minted)].sort();
}

/**
 * What the file type filter calls a document, by the file type that it was pushed with. The media type decides for
 * files and assets.
 */
const byFileType: Readonly<Record<string, SearchFileType>> = {
  markdown: "txt",
  webpage: "html",
  page: "page",
  content: "page",
  blog: "news",
  timeline: "news",
  email: "email",
  email_parent: "email",
  issue: "issue",
  issue_parent: "issue",
  wiki: "wiki",
  wiki_parent: "wiki",
  message: "message",
  merge_request: "other",
  merge_request_parent: "other",
  directory: "directory",
};

const byMimeType: Readonly<Record<string, SearchFileType>> = {
  "application/pdf": "pdf",
  "application/msword": "word",
  "application/rtf": "word",
  "text/rtf": "word",
  "application/vnd.ms-powerpoint": "powerpoint",
  "application/vnd.ms-excel": "excel",
  "text/csv": "excel",
  "text/html": "html",
  "application/xhtml+xml": "html",
  "message/rfc822": "email",
  "application/vnd.ms-outlook": "email",
  "application/onenote": "onenote",
  "application/msonenote": "onenote",
  "application/zip": "compressed",
  "application/x-zip-compressed": "compressed",
  "application/gzip": "compressed",
  "application/x-gzip": "compressed",
  "application/x-tar": "compressed",
  "application/x-bzip": "compressed",
  "application/x-bzip2": "compressed",
  "application/x-compress": "compressed",
  "application/x-lzma": "compressed",
  "application/x-xz": "compressed",
  "application/zstd": "compressed",
  "application/x-7z-compressed": "compressed",
  "application/vnd.rar": "compressed",
  "application/x-rar-compressed": "compressed",
};

/** The first that fits decides. Families of office formats have a template and a macro variant each. */
const byMimePrefix: readonly (readonly [string, SearchFileType])[] = [
  ["application/vnd.openxmlformats-officedocument.wordprocessingml.", "word"],
  ["application/vnd.ms-word.", "word"],
  ["application/vnd.oasis.opendocument.text", "word"],
  ["application/vnd.openxmlformats-officedocument.presentationml.", "powerpoint"],
  ["application/vnd.ms-powerpoint.", "powerpoint"],
  ["application/vnd.oasis.opendocument.presentation", "powerpoint"],
  ["application/vnd.openxmlformats-officedocument.spreadsheetml.", "excel"],
  ["application/vnd.ms-excel.", "excel"],
  ["application/vnd.oasis.opendocument.spreadsheet", "excel"],
  ["image/", "image"],
];

const isText = (essence: string): boolean => essence.startsWith("text/") || textFormatOf(essence) !== null;

/** The file type filter's value for a document; media types are compared without case and parameters. */
export function searchFileType(fileType: string, mimeType: string): SearchFileType {
  if (fileType !== "file" && fileType !== "asset") return byFileType[fileType] ?? "other";
  const essence = (mimeType.split(";", 1)[0] ?? "").trim().toLowerCase();
  const known = byMimeType[essence] ?? byMimePrefix.find(([prefix]) => essence.startsWith(prefix))?.[1];
  return known ?? (isText(essence) ? "txt" : "other");
}
