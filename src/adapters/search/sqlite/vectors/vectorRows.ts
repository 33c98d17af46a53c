import type { SqliteDatabase } from "../../../sqlite/database.js";
import type { EmbeddedDocument, UnembeddedDocument, VectorStore } from "../../vectorFollower.js";
import { partsPerDocument } from "../schema.js";
import { quantise, toBytes } from "./passageVectors.js";
import { prepareReadVectorState } from "./vectorState.js";

/** A document that has no vectors yet, by its row. */
export interface UnembeddedRow extends UnembeddedDocument {
  readonly row: number;
  /** Its name among the documents of an incarnation, in any version of the index. */
  readonly datasourceId: string;
  readonly documentId: string;
  /**
   * The epoch of the vectors when the row was read: where all vectors were thrown away since, other rows come first.
   */
  readonly epoch: number;
}

type EmbeddedRow = EmbeddedDocument<UnembeddedRow>;

/** Writes vectors, in the order of rows, so that readers see what is new by its row. */
export class VectorRows implements VectorStore<UnembeddedRow> {
  private readonly statements;
  private readonly saving;

  constructor(
    database: SqliteDatabase,
    private readonly model: string,
  ) {
    this.statements = prepareStatements(database);
    this.saving = database.transaction((documents: readonly EmbeddedRow[]) => this.saveAll(documents));
  }

  async dimensions(): Promise<number> {
    const state = this.statements.state.get();
    return state?.model === this.model ? state.dimensions : 0;
  }

  /** The next documents that have none, in their order; those of another model count as none. */
  async next(most: number): Promise<readonly UnembeddedRow[]> {
    const state = this.statements.state.get();
    const after = state?.model === this.model ? state.upToRow : 0;
    const epoch = state?.epoch ?? 0;
    return this.statements.next.all(after, most).map((document) => ({ ...document, epoch }));
  }

  /** One transaction. What was deleted meanwhile gets none. */
  async save(documents: readonly EmbeddedRow[]): Promise<void> {
    this.saving.immediate(documents);
  }

  private saveAll(documents: readonly EmbeddedRow[]): void {
    if (!this.isReadyFor(documents)) return;
    for (const {
      document: { row },
      passages,
    } of documents) {
      const quantised = passages.map(({ passage, vector }) => quantise(passage, vector));
      if (quantised.length > 0) this.statements.insert.run(toBytes(quantised), row);
      this.statements.reach.run(row);
    }
  }

  /** Throws away whatever is of another kind; false where these have to be made anew, after others. */
  private isReadyFor(documents: readonly EmbeddedRow[]): boolean {
    const state = this.statements.state.get();
    // Another process has thrown all away meanwhile.
    if (documents.some(({ document }) => document.epoch !== state?.epoch)) return false;
    const dimensions = documents.flatMap(({ passages }) => passages)[0]?.vector.length ?? 0;
    if (state?.model !== this.model) {
      this.begin(dimensions);
      return true;
    }
    if (dimensions === 0 || state.dimensions === dimensions) return true;
    if (state.dimensions === 0) {
      this.statements.measure.run(dimensions);
      return true;
    }
    this.begin(dimensions);
    return false;
  }

  private begin(dimensions: number): void {
    this.statements.clear.run();
    this.statements.begin.run(this.model, dimensions);
  }
}

const prepareStatements = (database: SqliteDatabase) => ({
  state: prepareReadVectorState(database),
  next: database.prepare<[number, number], Omit<UnembeddedRow, "epoch">>(
    `SELECT d.row, s.datasource_id AS datasourceId, d.document_id AS documentId, d.title, coalesce(t.text, '') AS text
     FROM documents d JOIN datasources s ON s.id = d.datasource
     LEFT JOIN texts t ON t.part = d.row * ${partsPerDocument} WHERE d.row > ? ORDER BY d.row LIMIT ?`,
  ),
  clear: database.prepare("DELETE FROM vectors"),
  begin: database.prepare(
    "UPDATE vector_state SET model = ?, dimensions = ?, up_to_row = 0, epoch = epoch + 1 WHERE only = 0",
  ),
  measure: database.prepare("UPDATE vector_state SET dimensions = ? WHERE only = 0"),
  insert: database.prepare("INSERT OR IGNORE INTO vectors SELECT row, ? FROM documents WHERE row = ?"),
  reach: database.prepare("UPDATE vector_state SET up_to_row = max(up_to_row, ?) WHERE only = 0"),
});
