import type { QueryPhrase } from "../../../analysis/queryPhrases.js";
import type { Collection } from "./collection.js";
import type { Postings } from "./growingPostings.js";
import type { PostingsCache } from "./postings.js";
import type { SearchBudget } from "./searchBudget.js";
import type { Visibility } from "./visibility.js";

/** Where a phrase was looked for, and found. */
export interface FoundPhrase {
  /** One for each language in which it reads differently: no document is in two of them. */
  readonly postings: readonly Postings[];
  /** It was not looked for in documents below this slot. */
  readonly fromSlot: number;
}

/**
 * Looks for phrases within a search's budget. To look for one costs as many rows as hold its rarest word, so where that
 * one is common the phrase is looked for in the newest documents only. These are counted among what the person can see:
 * where the search stops tells nothing about other documents.
 */
export class Phrases {
  constructor(
    private readonly postings: PostingsCache,
    private readonly collection: Collection,
  ) {}

  find({ sequences }: QueryPhrase, visibility: Visibility, budget: SearchBudget): FoundPhrase {
    const postings: Postings[] = [];
    let fromSlot = 0;
    for (const terms of sequences) {
      const [term, ...others] = terms;
      if (term === undefined) continue;
      if (others.length === 0) {
        const whole = this.postings.wholeOf(term);
        if (whole === null) fromSlot = this.collection.size;
        postings.push(whole ?? this.postings.ofTerm(term));
        continue;
      }
      const found = this.postings.ofPhrase(terms, this.firstRow(terms, visibility, budget.documentsPerPhrase));
      const slot = found.fromRow === 0 ? 0 : this.firstSlotFrom(found.fromRow);
      postings.push(postingsFrom(slot, found.postings));
      fromSlot = Math.max(fromSlot, slot);
    }
    if (fromSlot > 0) budget.leaveOut();
    return { postings, fromSlot };
  }

  /** The row from which on a phrase of these terms is looked for; 0: all. */
  private firstRow(terms: readonly string[], visibility: Visibility, most: number): number {
    const postings = terms.map((term) => this.postings.ofTerm(term));
    if (postings.some(({ size }) => size <= most)) return 0;
    const open = postings.map((each) => visibility.countOpen(each));
    const fewest = Math.min(...open);
    if (fewest <= most) return 0;
    const slot = visibility.newestOpen(postings[open.indexOf(fewest)] as Postings, most);
    return this.collection.columns.rows[slot] as number;
  }

  private firstSlotFrom(row: number): number {
    const { rows } = this.collection.columns;
    let low = 0;
    let high = this.collection.size;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((rows[middle] as number) < row) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Without the documents below this slot: they may be known from a search that was allowed more. */
function postingsFrom(slot: number, { slots, frequencies, size }: Postings): Postings {
  let from = 0;
  while (from < size && (slots[from] as number) < slot) from += 1;
  return { slots: slots.subarray(from, size), frequencies: frequencies.subarray(from, size), size: size - from };
}
