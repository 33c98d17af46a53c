import type { Postings } from "./growingPostings.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import type { Collection } from "./collection.js";

/** Counts how many of the added postings hold a slot. Clearing it touches only what was added. */
export class SlotSet {
  private counts = new Uint8Array(0);
  private added: Postings[] = [];

  /** Makes room for this many slots and forgets what was added. */
  begin(slots: number): void {
    for (const { slots: counted, size } of this.added)
      for (let index = 0; index < size; index++) this.counts[counted[index] as number] = 0;
    this.added = [];
    if (this.counts.length < slots) this.counts = new Uint8Array(Math.ceil(slots * 1.25));
  }

  /** At most 255 times between two calls of `begin`. */
  add(postings: Postings): void {
    this.added.push(postings);
    for (let index = 0; index < postings.size; index++) {
      const slot = postings.slots[index] as number;
      this.counts[slot] = (this.counts[slot] as number) + 1;
    }
  }

  count(slot: number): number {
    return this.counts[slot] as number;
  }
}

/** The slots of which something is true: several times as fast as `filter` of a typed array. */
export function slotsThat(isTrue: (slot: number) => boolean, slots: Int32Array): Int32Array {
  const kept = new Int32Array(slots.length);
  let count = 0;
  for (let index = 0; index < slots.length; index++) {
    const slot = slots[index] as number;
    if (isTrue(slot)) kept[count++] = slot;
  }
  return kept.subarray(0, count);
}

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
