import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import type { ContentReader } from "../projections/ports.js";
import type { SearchChange, SearchIndexWriter } from "../projections/search/ports.js";
import { analyse } from "../projections/search/prepareDocuments.js";
import { createSearchWriter } from "../projections/search/readModel.js";
import { openSqliteSearchIndexWriter } from "../src/adapters/search/sqlite/openSqliteSearchIndexWriter.js";
import type { DocumentIndexed } from "../src/events/document.js";
import { documentIdsOf } from "../src/events/streams.js";
import type { HeldTokens } from "../src/readModels/search.js";
import { toDatasourceId, toDatasourceName, toDocumentId, type PrincipalToken } from "../src/shared/ids.js";
import { beginning, toPosition, type Position } from "../src/shared/position.js";
import { PrincipalTokens } from "../src/shared/principalTokens.js";
import { Corpus, seededRandom, type CorpusDocument } from "./corpus.js";

const datasourceId = toDatasourceId("bench");
const datasource = toDatasourceName("bench");
const tokens = new PrincipalTokens("bench");
const batchSize = 500;

export interface SearchCorpusOptions {
  readonly file: string;
  /** A plain FTS5 table of the same documents, the peer. */
  readonly plainFile: string;
  readonly documents: number;
  readonly groups: number;
  /** Words of a text, on average. */
  readonly textLength: number;
}

/** What was indexed, to choose queries by how many documents hold a word. */
export interface SearchCorpus {
  readonly documents: number;
  readonly groups: number;
  /** How many documents hold each word. */
  readonly frequencies: ReadonlyMap<string, number>;
  readonly questions: readonly string[];
}

/** Fills both indexes with the same documents; each names one to three of the groups. */
export async function buildSearchCorpus({
  file,
  plainFile,
  documents,
  groups,
  textLength,
}: SearchCorpusOptions): Promise<SearchCorpus> {
  const corpus = new Corpus(11, 30_000, textLength);
  const random = seededRandom(12);
  const frequencies = new Map<string, number>();
  const collection = openCollection(file);
  const plain = openPlain(plainFile);
  for (let from = 0; from < documents; from += batchSize) {
    const batch = Array.from({ length: Math.min(batchSize, documents - from) }, (_, index) =>
      corpus.document(`d${from + index}`),
    );
    for (const document of batch) countWords(document, frequencies);
    plain.insert(batch);
    await collection.put(
      batch.map((document) => toIndexed(document, groupsFrom(random, groups))),
      new Map(batch.map(({ id, text }) => [id, text])),
    );
  }
  collection.close();
  plain.close();
  const questions = Array.from({ length: 100 }, () => `${corpus.text(10)}?`);
  return { documents, groups, frequencies, questions };
}

/** The tokens of someone in every `one in`-th group. */
export const memberOfEach = (oneIn: number, groups: number): HeldTokens => ({
  key: `one in ${oneIn}`,
  tokens: Array.from({ length: Math.floor(groups / oneIn) }, (_, index) => tokenOfGroup(groupName(index * oneIn))),
});

/** What the members of a group hold, and the documents carry that are open to it. */
export const tokenOfGroup = (name: string): PrincipalToken => tokens.group(datasourceId, name);

const groupName = (number: number): string => `group-${number}`;

/** One to three of the groups. */
export const groupsFrom = (random: () => number, groups: number): readonly string[] =>
  Array.from({ length: 1 + Math.floor(random() * 3) }, () => groupName(Math.floor(random() * groups)));

function countWords({ title, text }: CorpusDocument, frequencies: Map<string, number>): void {
  for (const word of new Set(`${title} ${text}`.split(" "))) frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
}

const fileTypes = ["page", "wiki", "issue", "blog", "markdown"];
const dayMs = 86_400_000;

/** A document of the corpus as it was indexed, open to these groups. Its text's length stands for what else varies. */
export function toIndexed({ id, title, text }: CorpusDocument, groups: readonly string[]): DocumentIndexed["data"] {
  return {
    datasourceId,
    datasource,
    documentId: toDocumentId(id),
    title,
    content: { sha256: id, bytes: text.length },
    mimeType: "text/plain",
    size: text.length,
    fileType: fileTypes[text.length % fileTypes.length] ?? "page",
    pathPreview: `https://example.org/${id}`,
    path: null,
    author: `Author ${text.length % 997}`,
    lastModified: new Date(Date.UTC(2024, 0, 15, 10) - (text.length % 997) * dayMs).toISOString(),
    sub: null,
    childSub: null,
    access: { anonymous: false, users: [], groups: [...new Set(groups)].sort() },
    customProperties: [],
    supersededContent: null,
    widenedToAnonymous: false,
  };
}

/** Fails the benchmark where following up a change fails. */
export const onFailure = (error: unknown): void => {
  throw error;
};

function openCollection(file: string) {
  const index = openSqliteSearchIndexWriter({ file, analyse, onFailure });
  return { ...fillerOf(index), close: () => index.close() };
}

/** Projects documents into an index, whichever engine holds it; in a catch-up, as a rebuild does. */
export function fillerOf(index: SearchIndexWriter, moreToCome = false) {
  let texts = new Map<string, string>();
  let after: Position = beginning;
  const contents: ContentReader = { read: async ({ stream }) => texts.get(documentIdsOf(stream).documentId) ?? null };
  const writer = createSearchWriter({ index, contents, tokens });
  const apply = async (make: (position: Position) => readonly SearchChange[]): Promise<void> => {
    const position = toPosition(after + 1n);
    await writer.apply({ after, position, changes: make(position), parked: [], moreToCome });
    after = position;
  };
  return {
    async put(documents: readonly DocumentIndexed["data"][], bodies: Map<string, string>): Promise<void> {
      texts = bodies;
      if (after === beginning)
        await apply((position) => [
          { kind: "datasourceRegistered", position, datasourceId, name: datasource, subs: [], searchable: [] },
        ]);
      await apply((position) =>
        documents.map((document) => ({
          kind: "documentIndexed",
          position,
          indexedAt: "2024-01-15T10:00:00.000Z",
          document,
        })),
      );
    },
  };
}

function openPlain(file: string) {
  mkdirSync(dirname(file), { recursive: true });
  const database = new Database(file);
  database.pragma("journal_mode = WAL");
  database.exec("CREATE VIRTUAL TABLE documents USING fts5 (title, body)");
  const statement = database.prepare("INSERT INTO documents (title, body) VALUES (?, ?)");
  const insert = database.transaction((batch: readonly CorpusDocument[]) => {
    for (const { title, text } of batch) statement.run(title, text);
  });
  return { insert, close: () => database.close() };
}
