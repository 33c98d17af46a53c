import type { TextRange } from "../../../../analysis/nearness.js";
import type { SqliteDatabase } from "../../../sqlite/database.js";
import { partsPerDocument } from "../schema.js";
import { quantise, toBytes } from "./passageVectors.js";
import { prepareReadVectorState } from "./vectorState.js";

/** A document that has no vectors yet. */
export interface UnembeddedDocument {
  readonly row: number;
  readonly title: string;
  /** The first part of the text: what is further on has no vectors. */
  readonly text: string;
}

/** The vectors of a document's passages; none where the model refuses its text. */
export interface EmbeddedDocument {
  readonly row: number;
  readonly passages: readonly { readonly passage: TextRange; readonly vector: Float32Array }[];
}

/** Writes vectors, in the order of rows, so that readers see what is new by its row. */
export class VectorRows {
  private readonly statements;
  private readonly saving;

  constructor(
    database: SqliteDatabase,
    private readonly model: string,
  ) {
    this.statements = prepareStatements(database);
    this.saving = database.transaction((documents: readonly EmbeddedDocument[]) => this.saveAll(documents));
  }

  /** The next documents that have none, in their order; those of another model count as none. */
  next(most: number): readonly UnembeddedDocument[] {
    const state = this.statements.state.get();
    const after = state?.model === this.model ? state.upToRow : 0;
    return this.statements.next.all(after, most);
  }

  /** One transaction. What was deleted meanwhile gets none. */
  save(documents: readonly EmbeddedDocument[]): void {
    this.saving.immediate(documents);
  }

  private saveAll(documents: readonly EmbeddedDocument[]): void {
    const dimensions = documents.flatMap(({ passages }) => passages)[0]?.vector.length;
    const state = this.statements.state.get();
    if (state?.model !== this.model || (dimensions !== undefined && ![0, dimensions].includes(state.dimensions))) {
      this.statements.clear.run();
      this.statements.begin.run(this.model, dimensions ?? 0);
      // Of another length than the vectors so far: those are made anew first.
      if (state?.model === this.model) return;
    } else if (dimensions !== undefined) this.statements.measure.run(dimensions);
    for (const { row, passages } of documents) {
      const quantised = passages.map(({ passage, vector }) => quantise(passage, vector));
      if (quantised.length > 0) this.statements.insert.run(toBytes(quantised), row);
      this.statements.reach.run(row);
    }
  }
}

const prepareStatements = (database: SqliteDatabase) => ({
  state: prepareReadVectorState(database),
  next: database.prepare<[number, number], UnembeddedDocument>(
    `SELECT row, title, coalesce(text, '') AS text FROM documents LEFT JOIN texts ON part = row * ${partsPerDocument}
     WHERE row > ? ORDER BY row LIMIT ?`,
  ),
  clear: database.prepare("DELETE FROM vectors"),
  begin: database.prepare(
    "UPDATE vector_state SET model = ?, dimensions = ?, up_to_row = 0, epoch = epoch + 1 WHERE only = 0",
  ),
  measure: database.prepare("UPDATE vector_state SET dimensions = ? WHERE only = 0"),
  insert: database.prepare("INSERT OR IGNORE INTO vectors SELECT row, ? FROM documents WHERE row = ?"),
  reach: database.prepare("UPDATE vector_state SET up_to_row = max(up_to_row, ?) WHERE only = 0"),
});
