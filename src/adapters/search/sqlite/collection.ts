import { countedLength, longestWhole } from "../../../analysis/rankingRules.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import { Cells } from "./cells.js";
import { GrowingNumbers } from "./growingPostings.js";
import { prepareReadCounters, type CounterValues } from "./counters.js";
import { languageNumber } from "./columnNumbers.js";

/** In a number column: bound to none. */
const none = -1;
/** Slots of documents that are gone are freed once they are more than a quarter, and more than this. */
const toleratedGaps = 4_096;

type LoadedRow = readonly [
  row: number,
  accessClass: number,
  datasource: number,
  sub: number,
  childSub: number,
  fileType: number,
  language: number,
  modified: number | null,
  length: number,
];

interface Columns {
  readonly rows: Float64Array;
  readonly classes: Int32Array;
  readonly datasources: Int32Array;
  readonly subs: Int32Array;
  readonly childSubs: Int32Array;
  readonly fileTypes: Uint8Array;
  /** See `columnNumbers.ts`. */
  readonly languages: Uint8Array;
  /** NaN where none is known. */
  readonly modified: Float64Array;
  /** How many terms title and text have. */
  readonly lengths: Int32Array;
  /** The same, at most one more than `longestWhole`. */
  readonly shortLengths: Uint16Array;
  /** 1 while the document is there. */
  readonly alive: Uint8Array;
}

const columnsFor = (capacity: number): Columns => ({
  rows: new Float64Array(capacity),
  classes: new Int32Array(capacity),
  datasources: new Int32Array(capacity),
  subs: new Int32Array(capacity),
  childSubs: new Int32Array(capacity),
  fileTypes: new Uint8Array(capacity),
  languages: new Uint8Array(capacity),
  modified: new Float64Array(capacity),
  lengths: new Int32Array(capacity),
  shortLengths: new Uint16Array(capacity),
  alive: new Uint8Array(capacity),
});

/**
 * What filters need to know of each document, in arrays of some 47 bytes a document. A document has a slot. Slots
 * ascend with rows, so newer means higher. Kept fresh by reading what was added and removed since the last look.
 */
export class Collection {
  columns: Columns = columnsFor(1_024);
  size = 0;
  /** Row of the newest document that was ever loaded. */
  lastRow = 0;
  /** Grows whenever slots were renumbered: then what is remembered by slot is void. */
  numbering = 0;
  /** Grows with every change of a datasource or its subs. */
  definitions = none;
  /** How many documents there are, and how long they are, by who sees them. */
  readonly cells = new Cells();
  /** The slots of documents that are gone, in the order in which they left, since slots were last renumbered. */
  gone = new GrowingNumbers();
  private nextRemoval = 0;
  private readonly statements;

  constructor(database: SqliteDatabase) {
    // Takes a third of the time that rows take which are handed over one by one.
    database.function("take_document", { varargs: true }, this.append.bind(this));
    this.statements = prepareStatements(database);
  }

  /** Takes over what the current snapshot of the file holds. Call it inside a read transaction. */
  refresh(): void {
    const counters = this.statements.counters.get();
    if (counters === undefined) return;
    if (this.nextRemoval < counters.oldestRemoval) return this.reload(counters);
    if (this.nextRemoval < counters.nextRemoval) this.takeRemovals(counters);
    if (this.lastRow < counters.nextRow - 1) this.takeAdditions(counters);
    this.definitions = counters.definitions;
    if (this.gone.size > toleratedGaps && this.gone.size * 4 > this.size) this.reload(counters);
  }

  /** The slot of a row, or -1; `from` is a slot at or below it where the search begins. */
  slotOf(row: number, from: number): number {
    const { rows } = this.columns;
    // Most rows that were ever given are still there.
    const near = from + row - (rows[from] as number);
    if (near >= from && near < this.size && rows[near] === row) return near;
    let low = from;
    let step = 1;
    while (low + step < this.size && (rows[low + step] as number) <= row) {
      low += step;
      step *= 2;
    }
    let high = Math.min(this.size, low + step);
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((rows[middle] as number) <= row) low = middle;
      else high = middle;
    }
    return low < this.size && rows[low] === row ? low : none;
  }

  /** Whether the document of this row is there, and has any terms. */
  holdsTermsOf(row: number): boolean {
    const { alive, lengths } = this.columns;
    const slot = this.size === 0 ? none : this.slotOf(row, 0);
    return slot !== none && alive[slot] === 1 && (lengths[slot] as number) > 0;
  }

  private reload(counters: CounterValues): void {
    this.size = 0;
    this.gone = new GrowingNumbers();
    this.cells.clear();
    this.lastRow = 0;
    this.numbering += 1;
    this.nextRemoval = counters.nextRemoval;
    this.takeAdditions(counters);
    this.definitions = counters.definitions;
  }

  private takeAdditions(counters: CounterValues): void {
    this.statements.additions.get(this.lastRow);
    this.lastRow = counters.nextRow - 1;
  }

  /** A row that came and went between two looks was never loaded. */
  private takeRemovals(counters: CounterValues): void {
    for (const row of this.statements.removals.iterate(this.nextRemoval)) {
      const slot = row <= this.lastRow ? this.slotOf(row, 0) : none;
      if (slot === none) continue;
      this.leave(slot);
      this.gone.push(slot);
    }
    this.nextRemoval = counters.nextRemoval;
  }

  /** Called for each new document, in the order of rows. Returns 0: it is no row of the answer. */
  private append(...document: LoadedRow): 0 {
    const [row, accessClass, datasource, sub, childSub, fileType, language, modified, length] = document;
    if (this.size === this.columns.rows.length) this.grow();
    const { columns, size } = this;
    columns.rows[size] = row;
    columns.classes[size] = accessClass;
    columns.datasources[size] = datasource;
    columns.subs[size] = sub;
    columns.childSubs[size] = childSub;
    columns.fileTypes[size] = fileType;
    columns.languages[size] = language;
    columns.modified[size] = modified ?? Number.NaN;
    columns.lengths[size] = length;
    columns.shortLengths[size] = Math.min(length, longestWhole + 1);
    columns.alive[size] = 1;
    this.cells.add(accessClass, datasource, countedLength(length));
    this.size = size + 1;
    return 0;
  }

  private leave(slot: number): void {
    const { alive, classes, datasources, lengths } = this.columns;
    alive[slot] = 0;
    this.cells.remove(classes[slot] as number, datasources[slot] as number, countedLength(lengths[slot] as number));
  }

  private grow(): void {
    const larger = columnsFor(this.columns.rows.length * 2);
    for (const name of Object.keys(larger) as (keyof Columns)[]) larger[name].set(this.columns[name]);
    this.columns = larger;
  }
}

const prepareStatements = (database: SqliteDatabase) => ({
  counters: prepareReadCounters(database),
  additions: database.prepare<[number]>(
    `SELECT 1 FROM documents WHERE row > ? AND take_document(
       row, class, datasource, coalesce(sub, ${none}), coalesce(child_sub, ${none}), search_file_type,
       ${languageNumber}, modified, term_count
     ) ORDER BY row`,
  ),
  removals: database
    .prepare<[number], number>("SELECT row FROM removals WHERE sequence >= ? ORDER BY sequence")
    .pluck(),
});
