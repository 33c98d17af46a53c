import type { Language } from "../../../shared/texts.js";
import { type BestPassages, bestPassagesIn, type PassageQuestion } from "../../../analysis/passageScores.js";
import {
  countedLength,
  lengthNormalisation,
  longestWhole,
  mostPages,
  mostPagesInAll,
  mostRounds,
  reordered,
  settledAtOnce,
} from "../../../analysis/rankingRules.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import type { Collection } from "./collection.js";
import { holds } from "./growingPostings.js";
import { leastScore, type WeighedPostings } from "./scores.js";
import { languageWorths } from "./columnNumbers.js";
import { firstPartOf } from "./schema.js";
import { topRanked } from "./topRanked.js";
import type { QueryPhrase } from "../../../analysis/queryPhrases.js";
import { termShareIn } from "../../../analysis/bm25f.js";
import type { SqliteQuery } from "./visibleWords.js";
import type { Visibility } from "./visibility.js";

interface LongDocumentQuestion extends PassageQuestion {
  /** Neighbours that count wherever they stand. */
  readonly together: readonly WeighedPostings[];
  /** The reader's language; null: not known. */
  readonly readers: Language | null;
}

/**
 * Scores long documents by their best passage. What all of their words score is the most that a passage can. So the
 * first ones by that are settled, those that come first then, and so on, until the first places hold none that is open.
 */
export class LongDocuments {
  private readonly select;

  constructor(
    database: SqliteDatabase,
    private readonly collection: Collection,
  ) {
    this.select = database
      .prepare<[number, number], Buffer>("SELECT terms FROM passages WHERE page >= ? AND page < ? ORDER BY page")
      .pluck();
  }

  /** For one search. */
  begin(question: LongDocumentQuestion): SettledDocuments {
    const pagesOf = (row: number): readonly Buffer[] => this.select.all(firstPartOf(row), firstPartOf(row) + mostPages);
    return new SettledDocuments(this.collection, question, pagesOf);
  }
}

/** The long documents that a search has settled. */
export class SettledDocuments {
  private readonly known = new Map<number, BestPassages>();
  private readonly worths;
  private pages = 0;

  constructor(
    private readonly collection: Collection,
    private readonly question: LongDocumentQuestion,
    private readonly pagesOf: (row: number) => readonly Buffer[],
  ) {
    this.worths = languageWorths(question.readers);
  }

  /** The first `count` of the documents found in ranking order. Changes the scores of those that it settles. */
  rank(found: Int32Array, count: number, scores: Float32Array): Int32Array {
    const most = Math.max(count, settledAtOnce);
    let ranked = topRanked(found, most, scores);
    for (let round = 0; round < mostRounds && this.isOpen(ranked.subarray(0, reordered)); round++) {
      for (const slot of ranked.subarray(0, settledAtOnce)) this.settle(slot, scores);
      ranked = topRanked(found, most, scores);
    }
    return ranked.subarray(0, count);
  }

  /** The best passages of a document, whether it is scored by them or not; null where it is short. */
  passagesOf(slot: number): BestPassages | null {
    return this.isLong(slot) ? (this.known.get(slot) ?? this.bestOf(slot).best) : null;
  }

  /** The passages by whose best one a document is scored; null where it is scored as a whole. */
  settledBy(slot: number): BestPassages | null {
    const best = this.known.get(slot);
    return best === undefined || best.places.length === 0 ? null : best;
  }

  /** What these documents have in common adds to one that is scored by a passage. */
  worthBeside({ postings, factor }: WeighedPostings, slot: number): number {
    return holds(postings, slot) ? factor * this.question.shareOf(1) : 0;
  }

  private bestOf(slot: number): { readonly best: BestPassages; readonly pages: number } {
    const pages = this.pagesOf(this.collection.columns.rows[slot] as number);
    return { best: bestPassagesIn(pages, this.question), pages: pages.length };
  }

  private settle(slot: number, scores: Float32Array): void {
    if (!this.isLong(slot) || this.known.has(slot) || this.pages >= mostPagesInAll) return;
    const { best, pages } = this.bestOf(slot);
    this.pages += pages;
    this.known.set(slot, best);
    if (best.places.length === 0) return;
    const worth = this.worths[this.collection.columns.languages[slot] as number] as number;
    const beside = this.question.together.reduce((sum, each) => sum + this.worthBeside(each, slot), 0);
    scores[slot] = Math.max(leastScore, worth * (best.score + beside));
  }

  private isOpen(slots: Int32Array): boolean {
    return this.pages < mostPagesInAll && slots.some((slot) => this.isLong(slot) && !this.known.has(slot));
  }

  private isLong(slot: number): boolean {
    return (this.collection.columns.lengths[slot] as number) > longestWhole;
  }
}

/** What is asked of the passages of long documents, with words that weigh what they weigh for the person. */
export const passageQuestion = (
  { words }: SqliteQuery,
  phrases: readonly QueryPhrase[],
  { all: { averageLength } }: Visibility,
): PassageQuestion => ({
  words: words.map(({ alternatives, areDisjoint }) => ({ ways: alternatives, areDisjoint })),
  phrases: phrases.map(({ sequences }) => sequences),
  shareOf: termShareIn(countedLength(Infinity, averageLength), { weight: 1, lengthNormalisation, averageLength }),
});
