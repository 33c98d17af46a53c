import type { SqliteDatabase } from "../../sqlite/database.js";
import type { Collection } from "./collection.js";
import type { SearchBudget } from "./searchBudget.js";

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
