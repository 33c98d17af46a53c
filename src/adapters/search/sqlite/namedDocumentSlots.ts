import type { SqliteDatabase } from "../../sqlite/database.js";
import type { Collection } from "./collection.js";

/** Documents of one registration of a datasource. */
export interface DocumentsOfDatasource {
  readonly datasourceId: string;
  /** A JSON array of their ids: between threads, a hundred thousand texts travel best as one. */
  readonly documentIds: string;
}

/** Finds the slots of documents that are named. */
export class NamedDocumentSlots {
  private readonly rows;

  constructor(
    database: SqliteDatabase,
    private readonly collection: Collection,
  ) {
    this.rows = database
      .prepare<[ids: string, datasourceId: string], number>(
        `SELECT d.row FROM json_each(?) named CROSS JOIN datasources s CROSS JOIN documents d
         ON d.datasource = s.id AND d.document_id = named.value WHERE s.datasource_id = ?`,
      )
      .pluck();
  }

  /** 1 at the slot of each document that is there. Call it in the snapshot in which the collection was refreshed. */
  slotsOf(among: readonly DocumentsOfDatasource[]): Uint8Array {
    const slots = new Uint8Array(this.collection.size);
    for (const { datasourceId, documentIds } of among) {
      for (const row of this.rows.iterate(documentIds, datasourceId)) {
        const slot = this.collection.slotOf(row, 0);
        if (slot >= 0) slots[slot] = 1;
      }
    }
    return slots;
  }
}
