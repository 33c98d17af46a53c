import type { QueryMeaning } from "../../../../../queries/ports.js";
import type { SqliteDatabase } from "../../../sqlite/database.js";
import type { Collection } from "../collection.js";
import { nearestTo, type NearDocument, type VectorRange } from "./nearest.js";
import { fromBytes } from "./passageVectors.js";
import { VectorColumns } from "./vectorColumns.js";
import { prepareReadVectorState, type VectorState } from "./vectorState.js";

/** Documents whose vectors are read in one go: some ten milliseconds. */
const documentsPerStep = 5_000;
/** A document that is gone. */
const none = -1;

interface LoadedDocument extends VectorRange {
  readonly row: number;
  slot: number;
}

/** The vectors of the index, in memory, as far as they were read. Call all of it inside a read transaction. */
export class Vectors {
  private columns = new VectorColumns(0);
  private documents: LoadedDocument[] = [];
  private epoch = none;
  private lastRow = 0;
  private numbering = none;
  private gone = 0;
  private readonly state;
  private readonly next;

  constructor(
    database: SqliteDatabase,
    private readonly collection: Collection,
  ) {
    this.state = prepareReadVectorState(database);
    this.next = database
      .prepare<[number, number], [row: number, passages: Buffer]>(
        `SELECT row, passages FROM vectors WHERE row > ? ORDER BY row LIMIT ?`,
      )
      .raw();
  }

  /**
   * The documents with a passage that is nearest to the query, among those that `shows` says, best first; nothing where
   * the index holds vectors of another model.
   */
  nearest(meaning: QueryMeaning, shows: (slot: number) => boolean, most: number): readonly NearDocument[] {
    const state = this.refresh();
    if (state?.model !== meaning.model || state.dimensions !== meaning.vector.length) return [];
    const visible = this.documents.filter(({ slot }) => slot !== none && shows(slot));
    return nearestTo(meaning, this.columns, visible, most);
  }

  /** Reads some of what is new, and tells whether that was not all. */
  readSome(): boolean {
    const before = this.lastRow;
    this.refresh();
    return this.documents.length > 0 && this.lastRow > before;
  }

  private refresh(): VectorState | undefined {
    const state = this.state.get();
    if (state === undefined) return undefined;
    if (state.epoch !== this.epoch || state.dimensions !== this.columns.dimensions) this.begin(state);
    if (this.numbering !== this.collection.numbering) this.renumber();
    this.take(state.dimensions);
    if (this.gone * 2 > this.documents.length + documentsPerStep) this.begin(state);
    return state;
  }

  /** Forgets all: they are read again. */
  private begin({ epoch, dimensions }: VectorState): void {
    this.columns = new VectorColumns(dimensions);
    this.documents = [];
    this.gone = 0;
    this.lastRow = 0;
    this.epoch = epoch;
  }

  private renumber(): void {
    this.numbering = this.collection.numbering;
    this.gone = 0;
    let from = 0;
    for (const document of this.documents) {
      document.slot = this.slotOf(document.row, from);
      if (document.slot === none) this.gone += 1;
      else from = document.slot;
    }
  }

  private take(dimensions: number): void {
    let from = 0;
    for (const [row, passages] of this.next.iterate(this.lastRow, documentsPerStep) as Iterable<[number, Buffer]>) {
      const first = this.columns.size;
      for (const vector of fromBytes(passages, dimensions)) this.columns.push(vector);
      const slot = this.slotOf(row, from);
      from = Math.max(0, slot);
      this.documents.push({ row, slot, first, end: this.columns.size });
      this.lastRow = row;
    }
  }

  private slotOf(row: number, from: number): number {
    return this.collection.size === 0 ? none : this.collection.slotOf(row, from);
  }
}
