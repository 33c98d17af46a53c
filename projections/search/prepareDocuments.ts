import { analyseDocument } from "../../src/analysis/analyseDocument.js";
import { searchedTextsOf } from "../../src/analysis/searchedTexts.js";
import type { DocumentIndexed } from "../../src/events/document.js";
import { documentStream } from "../../src/events/streams.js";
import type { DatasourceId, PrincipalToken } from "../../src/shared/ids.js";
import { epochMilliseconds } from "../../src/shared/instant.js";
import type { PrincipalTokens } from "../../src/shared/principalTokens.js";
import type { ContentReader } from "../ports.js";
import type { DocumentChange } from "./changes.js";
import type { AnalyseDocument, PreparedChange } from "./ports.js";
import { searchFileType } from "./searchFileType.js";

export interface PreparationSources {
  readonly contents: ContentReader;
  readonly tokens: PrincipalTokens;
}

/** How many texts are asked for at once. */
const concurrentReads = 32;

/** Title, text, the values of the searched properties, file name, author and folders become terms. */
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
    prepared.push(...(await Promise.all(some.map((change) => prepare(change, searchable, sources)))));
  }
  return prepared;
}

async function prepare(
  change: DocumentChange,
  searchable: ReadonlyMap<DatasourceId, ReadonlySet<string>>,
  { contents, tokens }: PreparationSources,
): Promise<PreparedChange> {
  if (change.kind === "documentRemoved")
    return { kind: "remove", datasourceId: change.datasourceId, documentId: change.documentId };
  const { document, position, indexedAt } = change;
  const { datasourceId, documentId } = document;
  const properties = searchable.get(datasourceId);
  if (properties === undefined) return { kind: "remove", datasourceId, documentId };
  const text = await contents.read(
    { stream: documentStream(datasourceId, documentId), reference: document.content },
    position,
  );
  if (text === null) return { kind: "remove", datasourceId, documentId };
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
export function tokensOf(
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
