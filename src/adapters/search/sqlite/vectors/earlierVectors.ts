import { existsSync } from "node:fs";
import Database from "better-sqlite3";
import type { EarlierVectors, PassageVector } from "../../vectorFollower.js";
import { partsPerDocument, searchSchema } from "../schema.js";
import { fromBytes, toVector } from "./passageVectors.js";
import type { UnembeddedRow } from "./vectorRows.js";
import { prepareReadVectorState } from "./vectorState.js";

const busyTimeoutMs = 1_000;

type Known = ReadonlyMap<UnembeddedRow, readonly PassageVector[]>;

/** Vectors in the file of another version. It is opened for each question: what is dropped meanwhile is to be gone. */
export class EarlierVectorsInFile implements EarlierVectors<UnembeddedRow> {
  constructor(
    private readonly file: string,
    private readonly model: string,
  ) {}

  /** A file that cannot be read costs what it would have saved, and nothing else. */
  async of(documents: readonly UnembeddedRow[]): Promise<Known> {
    if (!existsSync(this.file)) return new Map();
    try {
      const database = new Database(this.file, { readonly: true, timeout: busyTimeoutMs });
      try {
        return database.transaction(() => this.read(database, documents)).deferred();
      } finally {
        database.close();
      }
    } catch (error) {
      if (error instanceof Database.SqliteError) return new Map();
      throw error;
    }
  }

  private read(database: Database.Database, documents: readonly UnembeddedRow[]): Known {
    const known = new Map<UnembeddedRow, readonly PassageVector[]>();
    if (database.pragma("user_version", { simple: true }) !== searchSchema.version) return known;
    const state = prepareReadVectorState(database).get();
    if (state?.model !== this.model) return known;
    const same = prepareSame(database);
    for (const document of documents) {
      const { datasourceId, documentId, title, text } = document;
      const passages = same.get(datasourceId, documentId, title, text);
      if (passages === undefined) continue;
      const vectors = [...fromBytes(passages, state.dimensions)];
      known.set(
        document,
        vectors.map((vector) => ({ passage: vector.passage, vector: toVector(vector) })),
      );
    }
    return known;
  }
}

/** The vectors of a document, where they are made of this title and this text. */
const prepareSame = (database: Database.Database) =>
  database
    .prepare<[string, string, string, string], Buffer>(
      `SELECT v.passages FROM datasources s JOIN documents d ON d.datasource = s.id JOIN vectors v ON v.row = d.row
       LEFT JOIN texts t ON t.part = d.row * ${partsPerDocument}
       WHERE s.datasource_id = ? AND d.document_id = ? AND d.title = ? AND coalesce(t.text, '') = ?`,
    )
    .pluck();
