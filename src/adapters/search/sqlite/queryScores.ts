import type { AnalysedQuery } from "../../../analysis/analyseQuery.js";
import type { QueryPhrase } from "../../../analysis/queryPhrases.js";
import { inverseDocumentFrequency } from "../../../analysis/bm25f.js";
import { countedHits, isOfMany, wordsOfMatch } from "../../../analysis/rankingRules.js";
import type { Language } from "../../../shared/texts.js";
import { bm25For, Scores, type Weighing } from "./scores.js";
import type { Collection } from "./collection.js";
import { scoreContenders } from "./contenders.js";
import type { WeighedBeside } from "./hitExplanations.js";
import { languageWorths } from "./columnNumbers.js";
import type { FoundPhrase, Phrases } from "./phrases.js";
import type { SqliteWord } from "./visibleWords.js";
import type { SearchBudget } from "./searchBudget.js";
import { SlotSet } from "./slotSet.js";
import type { MatchingTitles } from "./titleMatches.js";
import type { Visibility } from "./visibility.js";

/** What neighbours in a compound (`foo_bar`) add, compared with a required phrase's own rarity. */
const compoundWorth = 0.5;

/** Scores documents by the words of one query after the other. */
export class QueryScores {
  readonly scores = new Scores();
  /** Titles, and neighbours in a compound, that this search has found. */
  together: readonly WeighedBeside[] = [];
  private readonly required = new SlotSet();
  private readonly excluded = new SlotSet();

  constructor(
    private readonly collection: Collection,
    private readonly phrases: Phrases,
  ) {}

  weighingBy({ all, openSlots }: Visibility): Weighing {
    return { bm25: bm25For(all.averageLength), lengths: this.collection.columns.shortLengths, wanted: openSlots };
  }

  /**
   * Scores all documents. Returns whether one has the query's phrases, and nothing excluded; null: the query names
   * none.
   */
  score(
    { phrases, compounds, excluded }: AnalysedQuery,
    words: readonly SqliteWord[],
    visibility: Visibility,
    budget: SearchBudget,
  ): ((slot: number) => boolean) | null {
    const weighing = this.begin(visibility);
    this.scores.addWords(words, weighing);
    const find = (phrase: QueryPhrase): FoundPhrase => this.phrases.find(phrase, visibility, budget);
    // First: without it nothing can be shown.
    const lookedInto = this.exclude(excluded.map(find));
    for (const compound of compounds) this.addCompound(find(compound), visibility, weighing);
    for (const phrase of phrases) {
      for (const postings of find(phrase).postings) {
        this.scores.touch(postings.slots.subarray(0, postings.size));
        this.required.add(postings);
      }
    }
    if (phrases.length + excluded.length === 0) return null;
    return (slot) =>
      slot >= lookedInto && this.required.count(slot) === phrases.length && this.excluded.count(slot) === 0;
  }

  /**
   * Scores the documents that can come first, for a query of nothing but words, and returns their slots. Titles are
   * still to be added.
   */
  scoreFirst(
    words: readonly SqliteWord[],
    visibility: Visibility,
    { readers, titles }: { readonly readers: Language | null; readonly titles: readonly MatchingTitles[] },
  ): Int32Array {
    const weighing = this.begin(visibility);
    const { languages } = this.collection.columns;
    const titled = titles.flatMap(({ postings }) => [...postings.slots.subarray(0, postings.size)]);
    const others = Int32Array.from(new Set(titled)).sort();
    const held = { wordsOfMatch: leastHeld(words), worths: languageWorths(readers) };
    return scoreContenders(this.scores, { words, weighing, languages, others, ...held });
  }

  /** Once it is known what is a match: these are found already. */
  addTitles(titles: readonly MatchingTitles[], visibility: Visibility): void {
    if (titles.length === 0) return;
    const weighing = this.weighingBy(visibility);
    for (const titled of titles) this.addBeside(titled, weighing);
  }

  private begin(visibility: Visibility): Weighing {
    const slots = this.collection.size;
    this.scores.begin(slots);
    this.required.begin(slots);
    this.excluded.begin(slots);
    this.together = [];
    return this.weighingBy(visibility);
  }

  /** Returns the slot below which it is not known what is excluded. */
  private exclude(found: readonly FoundPhrase[]): number {
    for (const { postings } of found) for (const each of postings) this.excluded.add(each);
    return found.reduce((most, { fromSlot }) => Math.max(most, fromSlot), 0);
  }

  private addCompound({ postings }: FoundPhrase, visibility: Visibility, weighing: Weighing): void {
    const documents = postings.reduce((sum, each) => sum + visibility.countOpen(each), 0);
    if (documents === 0) return;
    const factor = compoundWorth * inverseDocumentFrequency(visibility.all.documents, documents);
    for (const each of postings) this.addBeside({ postings: each, factor }, weighing);
  }

  /** What counts beside the words, wherever it stands. */
  private addBeside(way: WeighedBeside, weighing: Weighing): void {
    this.scores.addWords([{ alternatives: [way], areDisjoint: true, isAsked: false }], weighing);
    this.together = [...this.together, way];
  }
}

/** Whether a query of nothing but words has more hits than are counted, for sure. All that is open may be shown. */
export function hasUncountedHits(
  { phrases, compounds, excluded }: AnalysedQuery,
  words: readonly SqliteWord[],
  { all, openSlots, isNarrowed }: Visibility,
): boolean {
  if (openSlots === null || isNarrowed || phrases.length + compounds.length + excluded.length > 0) return false;
  const holding = words
    .filter(({ isAsked }) => isAsked)
    .map(({ alternatives }) => Math.max(0, ...alternatives.map(({ documents }) => documents)));
  return leastMatches(holding, all.documents, leastHeld(words)) > countedHits;
}

/**
 * How many documents hold so many of the words at least, whichever they are: all others hold one of them at most, and
 * these all.
 *
 * @param holding how many documents hold each word.
 */
export function leastMatches(holding: readonly number[], documents: number, held: number): number {
  const sorted = holding.toSorted((a, b) => b - a);
  if (held < wordsOfMatch) return sorted[0] ?? 0;
  let places = 0;
  return sorted.reduce((most, each, index) => {
    places += each;
    return index === 0 ? most : Math.max(most, (places - documents) / index);
  }, 0);
}

/** How many of the words a document holds at least that is a match for sure. */
const leastHeld = (words: readonly SqliteWord[]): number =>
  isOfMany(words.filter(({ isAsked }) => isAsked).length) ? wordsOfMatch : 0;
