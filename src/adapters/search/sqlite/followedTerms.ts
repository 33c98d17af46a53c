import type { SqliteDatabase } from "../../sqlite/database.js";
import type { Collection } from "./collection.js";
import type { GrowingPostings } from "./growingPostings.js";
import { frequencyOf, recentTermsIn, termOf, type RecentTerms } from "./recentTerms.js";

/**
 * Adds new documents to the postings of single terms, from what the writer has kept of the documents' terms. Behind a
 * commit FTS5 would have to be asked for every term of each search: it looks into every segment of the index, and counts
 * all documents with the term before it scores a new one.
 */
export class FollowedTerms {
  private readonly byTerm = new Map<string, GrowingPostings>();
  private readonly readTerms: ReturnType<typeof recentTermsIn>;
  /** Rows up to this one are taken in. */
  private takenRow = 0;
  /** The postings of a term that reach this row hold all that came since. */
  private unbrokenSince = 0;

  constructor(
    database: SqliteDatabase,
    private readonly collection: Collection,
  ) {
    this.readTerms = recentTermsIn(database);
  }

  add(term: string, postings: GrowingPostings): void {
    this.byTerm.set(term, postings);
  }

  remove(term: string): void {
    this.byTerm.delete(term);
  }

  /** True where the postings of this term hold the whole collection. */
  isCurrent(postings: GrowingPostings): boolean {
    return postings.upToRow >= this.unbrokenSince;
  }

  /** Forgets everything: the slots were renumbered. */
  restart(): void {
    this.byTerm.clear();
    this.skip();
  }

  /** Call it after each refresh of the collection, in the same read transaction. */
  takeAdditions(): void {
    const { lastRow } = this.collection;
    if (this.takenRow === lastRow) return;
    const recent = this.readTerms(this.takenRow, lastRow);
    if (recent === null) return this.skip();
    for (const terms of recent) this.take(terms);
    this.takenRow = lastRow;
  }

  /** Leaves what is new to FTS5. */
  private skip(): void {
    this.takenRow = this.collection.lastRow;
    this.unbrokenSince = this.collection.lastRow;
  }

  private take({ firstRow, lastRow, terms, occurrences }: RecentTerms): void {
    const { size } = this.collection;
    const followed = terms.map((term) => this.followedPostings(term));
    for (let row = firstRow, at = 0, from = 0; row <= lastRow; row++) {
      const end = at + 1 + (occurrences[at] as number);
      const slot = from < size ? this.collection.slotOf(row, from) : -1;
      if (slot >= 0) this.takeDocument((from = slot), followed, occurrences.subarray(at + 1, end));
      at = end;
    }
    for (const postings of followed) if (postings !== null) postings.upToRow = lastRow;
  }

  private takeDocument(slot: number, followed: readonly (GrowingPostings | null)[], occurrences: Uint32Array): void {
    for (let at = 0; at < occurrences.length; at++) {
      const occurrence = occurrences[at] as number;
      followed[termOf(occurrence)]?.count(slot, frequencyOf(occurrence));
    }
  }

  private followedPostings(term: string): GrowingPostings | null {
    const postings = this.byTerm.get(term);
    return postings !== undefined && this.isCurrent(postings) ? postings : null;
  }
}
