import { match } from "ts-pattern";
import {
  mostFrequent,
  type FacetCount,
  type FacetField,
  type FacetsAsked,
  type ModifiedWindow,
  type SearchFacets,
} from "../../../readModels/search.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import type { Collection } from "./collection.js";
import type { SearchBudget } from "./searchBudget.js";
import { fileTypesByNumber } from "./columnNumbers.js";
import { outside, type Visibility } from "./visibility.js";

/** What one search has found. */
interface CountedSearch {
  /** The slots of all documents that hold its words, visible or not. */
  readonly matching: Int32Array;
  /** The slots among them that are shown. */
  readonly shown: Int32Array;
  /** Whether a document meets what else the query demands; null: all do. */
  readonly isWanted: ((slot: number) => boolean) | null;
  readonly visibility: Visibility;
  readonly budget: SearchBudget;
}

/** Documents that are open to the person, and for each which filters it is outside of. */
interface OpenDocuments {
  readonly slots: Int32Array;
  readonly outsideOf: Uint8Array;
}

/** Which filter does not count for a field: its own. */
const ownFilter: Readonly<Record<FacetField, number>> = {
  file_type: outside.fileTypes,
  datasource: outside.datasources,
  author: outside.nothing,
  last_modified: outside.window,
};

/**
 * Counts what a search found by file type, datasource, author and time. All that match are counted, however many: some
 * nanoseconds each, over the columns that filters use.
 */
export class FacetCounts {
  private readonly authors: Authors;
  private readonly datasourceName;

  constructor(
    database: SqliteDatabase,
    private readonly collection: Collection,
  ) {
    this.authors = new Authors(database, collection);
    this.datasourceName = database.prepare<[number], string>("SELECT name FROM datasources WHERE id = ?").pluck();
  }

  /** Call it in the snapshot in which the collection was refreshed, before the next search. */
  of({ fields, windows }: FacetsAsked, search: CountedSearch): SearchFacets {
    const areAuthorsKnown = !fields.includes("author") || this.authors.refresh(search.budget);
    const documents = openOf(search);
    return {
      relation: areAuthorsKnown && !search.budget.isPartial ? "eq" : "gte",
      counts: Object.fromEntries(fields.map((field) => [field, this.count(field, documents, windows)])),
    };
  }

  private count(
    field: FacetField,
    documents: OpenDocuments,
    windows: readonly ModifiedWindow[],
  ): readonly FacetCount[] {
    const { fileTypes, datasources, modified } = this.collection.columns;
    const counted = (column: Int32Array | Uint8Array, nameOf: (number: number) => string | undefined) =>
      mostFrequent(field, tally(field, documents, column, nameOf));
    return match(field)
      .with("file_type", () => counted(fileTypes, (type) => fileTypesByNumber[type]))
      .with("datasource", () => counted(datasources, (id) => this.datasourceName.get(id)))
      .with("author", () => counted(this.authors.numbers, (author) => this.authors.names[author]))
      .with("last_modified", () =>
        windows.map((window) => ({ value: window.word, count: countWithin(window, documents, modified) })),
      )
      .exhaustive();
  }
}

function openOf({ matching, shown, isWanted, visibility }: CountedSearch): OpenDocuments {
  if (!visibility.isNarrowed) return { slots: shown, outsideOf: new Uint8Array(shown.length) };
  const slots = new Int32Array(matching.length);
  const outsideOf = new Uint8Array(matching.length);
  let size = 0;
  for (let index = 0; index < matching.length; index++) {
    const slot = matching[index] as number;
    if (!visibility.opens(slot) || (isWanted !== null && !isWanted(slot))) continue;
    slots[size] = slot;
    outsideOf[size++] = visibility.outsideOf(slot);
  }
  return { slots: slots.subarray(0, size), outsideOf: outsideOf.subarray(0, size) };
}

/** Counts documents by the number that a column holds for them; a number that has no name is not told. */
function* tally(
  field: FacetField,
  { slots, outsideOf }: OpenDocuments,
  column: Int32Array | Uint8Array,
  nameOf: (number: number) => string | undefined,
): Generator<FacetCount> {
  const others = ~ownFilter[field];
  const counts = new Int32Array(highestIn(column, slots) + 1);
  for (let index = 0; index < slots.length; index++) {
    if (((outsideOf[index] as number) & others) !== 0) continue;
    const number = column[slots[index] as number] as number;
    counts[number] = (counts[number] as number) + 1;
  }
  for (let number = 0; number < counts.length; number++) {
    const count = counts[number] as number;
    const value = count === 0 ? undefined : nameOf(number);
    if (value !== undefined && value !== "") yield { value, count };
  }
}

function highestIn(column: Int32Array | Uint8Array, slots: Int32Array): number {
  let highest = 0;
  for (let index = 0; index < slots.length; index++) {
    const number = column[slots[index] as number] as number;
    if (number > highest) highest = number;
  }
  return highest;
}

function countWithin(
  { from, to }: ModifiedWindow,
  { slots, outsideOf }: OpenDocuments,
  modified: Float64Array,
): number {
  const others = ~ownFilter.last_modified;
  let count = 0;
  for (let index = 0; index < slots.length; index++) {
    const at = modified[slots[index] as number] as number;
    if (at >= from && at <= to && ((outsideOf[index] as number) & others) === 0) count += 1;
  }
  return count;
}

/** How many documents' authors are read between two looks at the clock: some milliseconds. */
const slotsAtOnce = 8_192;

/** What has to be known of the documents that are there. */
type NumberedDocuments = Pick<Collection, "size" | "numbering" | "slotOf"> & {
  readonly columns: Pick<Collection["columns"], "rows">;
};

/**
 * The authors of documents, as numbers by slot. They are read when somebody first asks to count by them, and then what
 * was added: a reader that never asks pays for nothing. Four bytes a document, and each name once.
 */
export class Authors {
  /** By slot; 0 where a document names none. */
  numbers = new Int32Array(0);
  /** At their numbers. */
  names: string[] = [""];
  private readonly numberOf = new Map<string, number>();
  private readonly select;
  private numbering = -1;
  private size = 0;

  constructor(
    database: SqliteDatabase,
    private readonly collection: NumberedDocuments,
  ) {
    this.select = database
      .prepare<[number, number]>("SELECT row, author FROM documents WHERE row >= ? AND row <= ? AND author <> ''")
      .raw();
  }

  /**
   * Reads what is not known yet, as far as there is time: at least a step, so that asking again gets further. Call it
   * in the snapshot in which the collection was refreshed. Returns whether all are known.
   */
  refresh(budget: Pick<SearchBudget, "isOver">): boolean {
    if (this.numbering !== this.collection.numbering) this.forget();
    this.numbering = this.collection.numbering;
    if (this.numbers.length < this.collection.size) this.grow();
    while (this.size < this.collection.size) {
      this.read(this.size, Math.min(this.collection.size, this.size + slotsAtOnce));
      if (budget.isOver) break;
    }
    return this.size === this.collection.size;
  }

  private read(from: number, to: number): void {
    const { rows } = this.collection.columns;
    let slot = from;
    for (const read of this.select.iterate(rows[from] as number, rows[to - 1] as number)) {
      const [row, author] = read as [number, string];
      slot = this.collection.slotOf(row, slot);
      this.numbers[slot] = this.toNumber(author);
    }
    this.size = to;
  }

  private toNumber(author: string): number {
    const known = this.numberOf.get(author);
    if (known !== undefined) return known;
    this.numberOf.set(author, this.names.length);
    return this.names.push(author) - 1;
  }

  private forget(): void {
    this.size = 0;
    this.numbers.fill(0);
    this.names = [""];
    this.numberOf.clear();
  }

  private grow(): void {
    const larger = new Int32Array(this.collection.columns.rows.length);
    larger.set(this.numbers);
    this.numbers = larger;
  }
}
