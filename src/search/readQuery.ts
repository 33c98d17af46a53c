import type { AnalysedQuery, QueryName, QueryWord } from "../analysis/analyseQuery.js";
import { inverseDocumentFrequency } from "../analysis/bm25f.js";
import { completionWorth } from "../analysis/completions.js";
import { compoundWordWorth, mostWordsInWords, countingShared } from "../analysis/compoundWords.js";
import {
  apartSplits,
  apartTerms,
  compoundSplits,
  likeliestSplit,
  mayHoldCompounds,
  mostReadApart,
  partTerms,
  partWorth,
  type CompoundSplit,
} from "../analysis/compounds.js";
import {
  convincingCorrections,
  correctable,
  countedDocuments,
  mostRareWords,
  rareDocuments,
} from "../analysis/corrections.js";
import { apartWorth, joinedWorth, namePartsWorth } from "../analysis/rankingRules.js";
import type { SoughtWord } from "../analysis/snippet.js";
import { isJoinedTerm } from "../analysis/words.js";
import type { Reading } from "../readModels/explanation.js";
import type { Correction } from "../readModels/search.js";

/** A term that documents hold which the person may see. */
export interface Held {
  /** The term, or a key that stands for several. */
  readonly term: string;
  /** The parts of a name: a document holds all of them, each by any of its terms. */
  readonly parts?: readonly (readonly string[])[];
  /** How many of these documents there are; at least one. */
  readonly documents: number;
}

/** Other words that count as one of the query. */
export interface OtherWords<Found extends Held> {
  readonly terms: readonly string[];
  readonly found: readonly Found[];
  /** How many documents hold one of them, or the word itself: some may be counted twice. */
  readonly documents: number;
}

/** A word that another one may have been meant to be, and where documents hold it. */
export interface NearWords<Found extends Held> {
  readonly word: string;
  readonly distance: number;
  readonly found: readonly Found[];
}

/** What documents hold that a person may see: an engine answers it at once, or asks for many answers together. */
export interface Dictionary<Found extends Held> {
  /** How many documents there are. */
  readonly documents: number;
  /** Those of these terms that a document holds. */
  find(terms: readonly string[]): readonly Found[];
  /** The same of terms that only add to what the query's words find: how rare these are may be told roughly. */
  findBeside(terms: readonly string[]): readonly Found[];
  /** The documents that hold every part, each in any of its ways; null: there are none. */
  holdingAll(terms: readonly string[], parts: readonly (readonly Found[])[]): Found | null;
  /** How many documents hold any of these; more than `most` are not counted. */
  countAny(found: readonly Found[], most: number): number;
  /** Words that go on after this one. `own`: how the word itself is held. */
  completing(word: Pick<QueryWord, "word" | "terms">, own: readonly Found[]): OtherWords<Found>;
  /** Words that hold this one as compounds do: the rarest, since they say most. */
  inCompounds(word: QueryWord, own: readonly Found[]): OtherWords<Found>;
  /** Those of the splits of which documents hold both words. */
  heldSplits(splits: readonly CompoundSplit[]): readonly CompoundSplit[];
  /** Words that this one may be a misspelling of, without its own terms. */
  near(word: QueryWord): readonly NearWords<Found>[];
  /** Compounds of which it may be a misspelled part. */
  nearParts(word: QueryWord): readonly NearWords<Found>[];
}

/** A way in which a document may hold a word of the query; its factor is its rarity, times what it is worth. */
export type Way<Found extends Held> = Found & { readonly factor: number };

/** Terms that count as a word of the query, and where they are found. */
export interface Expansion<Found extends Held> {
  readonly reading: Reading;
  /** What this reading is worth, compared with the word as typed. */
  readonly worth: number;
  readonly terms: readonly string[];
  readonly ways: readonly Way<Found>[];
}

/** A word of the query as it is run: the ways in which a document may hold it. */
export interface RunnableWord<Found extends Held> {
  /** The word as typed. */
  readonly typed: string;
  /** How it was read. */
  readonly expansions: readonly Expansion<Found>[];
  /** The ways of all expansions. */
  readonly alternatives: readonly Way<Found>[];
  /** True where no document can hold it in two of the ways: a document holds it in its own language alone. */
  readonly areDisjoint: boolean;
  /** The word to be marked in the passage shown. */
  readonly sought: SoughtWord;
  /** False for one that says the same as others of the query: `Homeoffice` beside `Home` and `Office`. */
  readonly isAsked: boolean;
}

/** A word as typed, with its weight. */
export type TypedWord = QueryWord & { readonly weight: number };

export interface RunnableQuery<Found extends Held> {
  readonly words: readonly RunnableWord<Found>[];
  readonly typed: readonly TypedWord[];
  /** What words were taken for that nothing holds; folded, and not distinct. */
  readonly corrected: readonly Correction[];
}

/** One word of the query, read. */
interface ReadWord<Found extends Held> {
  readonly runnable: readonly RunnableWord<Found>[];
  readonly weight: number;
  readonly corrected: readonly Correction[];
}

type ReadAs = Pick<Expansion<Held>, "reading" | "worth">;
const asNameParts: ReadAs = { reading: "name_parts", worth: namePartsWorth };
const asApart: ReadAs = { reading: "apart", worth: apartWorth };

/**
 * Reads the words of a query: as typed, as the beginning of a word, as a part of other words, and, where hardly
 * anything holds them, as a compound of two words or misspelled. Documents that the person can see decide what is
 * there.
 */
export const readQuery = <Found extends Held>(
  query: AnalysedQuery,
  dictionary: Dictionary<Found>,
): RunnableQuery<Found> => new QueryReading(query, dictionary).read();

class QueryReading<Found extends Held> {
  private looked = 0;

  constructor(
    private readonly query: AnalysedQuery,
    private readonly dictionary: Dictionary<Found>,
  ) {}

  read(): RunnableQuery<Found> {
    const { words, names, joined } = this.query;
    const read = new Map<QueryWord, ReadWord<Found>>();
    for (const word of words) if (!word.isPartOfName) read.set(word, this.readWord(word));
    const readNames = names.map((name) => this.readName(name));
    const others = joined.map((word) => toRunnable(word, this.asJoined(word), false));
    const all = [...read.values(), ...readNames];
    return {
      words: [
        ...withShared(all.flatMap(({ runnable }) => runnable)),
        ...others.filter(({ alternatives }) => alternatives.length > 0),
      ],
      typed: words.map((word) => ({ ...word, weight: read.get(word)?.weight ?? heaviest(this.asTyped(word).ways) })),
      corrected: all.flatMap(({ corrected }) => corrected),
    };
  }

  private readWord(word: QueryWord): ReadWord<Found> {
    const asTyped = this.asTyped(word);
    const expansions = [asTyped];
    const weight = heaviest(asTyped.ways);
    if (word.isPrefix) expansions.push(this.complete(word, asTyped));
    if (!word.isLiteral && this.query.words.length <= mostWordsInWords)
      expansions.push(this.inCompounds(word, asTyped));
    const documents = this.dictionary.countAny(waysOf(expansions), rareDocuments + 1);
    const read = { weight, corrected: [] };
    if (word.isLiteral || documents > rareDocuments || this.looked++ >= mostRareWords)
      return { ...read, runnable: [toRunnable(word, expansions)] };
    const parts = this.partsOf(word, documents);
    if (parts.length > 0) {
      const runnable = [...parts.map((part) => toRunnable(word, [part])), toRunnable(word, expansions, false)];
      return { ...read, runnable };
    }
    if (documents > 0) return { ...read, runnable: [toRunnable(word, expansions)] };
    return { ...read, ...this.readUnknown(word, expansions) };
  }

  /** Reads a word that no document holds: as two words that documents write apart, or corrected. */
  private readUnknown(
    word: QueryWord,
    expansions: readonly Expansion<Found>[],
  ): Pick<ReadWord<Found>, "runnable" | "corrected"> {
    const apart = this.readApart(word);
    if (apart !== null) return { runnable: [toRunnable(word, [...expansions, apart])], corrected: [] };
    const corrections = this.corrections(word);
    return {
      runnable: [toRunnable(word, [...expansions, ...corrections.map(({ expansion }) => expansion)])],
      corrected: corrections.map(({ to }) => ({ from: word.typed, to })),
    };
  }

  /** Reads a name as it is typed, in one word, or by all of its parts; where no document holds it so, word by word. */
  private readName(name: QueryName): ReadWord<Found> {
    const whole = this.asTyped(name);
    const expansions = name.isPrefix ? [whole, this.complete(name, whole)] : [whole];
    if (name.parts.length > 0) expansions.push(this.byParts(name));
    const runnable = toRunnable(name, expansions);
    const { weight } = runnable.sought;
    if (runnable.alternatives.length > 0 || name.loose.length === 0)
      return { runnable: [runnable], weight, corrected: [] };
    const loose = name.loose.map((word) => this.readWord(word));
    return {
      runnable: loose.flatMap((word) => word.runnable),
      weight,
      corrected: loose.flatMap(({ corrected }) => corrected),
    };
  }

  private asTyped({ terms }: Pick<QueryWord, "terms">): Expansion<Found> {
    return { reading: "as_typed", worth: 1, terms, ways: this.weigh(terms, 1) };
  }

  private asJoined({ terms }: QueryWord): readonly Expansion<Found>[] {
    return terms.map((term) => {
      const worth = joinedWorth(term);
      const ways = this.weighed(this.dictionary.findBeside([term]), worth);
      return { reading: "joined", worth, terms: [term], ways };
    });
  }

  private complete(word: Pick<QueryWord, "word" | "terms">, { ways }: Expansion<Found>): Expansion<Found> {
    return this.together("completion", completionWorth, this.dictionary.completing(word, ways));
  }

  private inCompounds(word: QueryWord, { ways }: Expansion<Found>): Expansion<Found> {
    return this.together("compound", compoundWordWorth, this.dictionary.inCompounds(word, ways));
  }

  /**
   * All of them count as if they were as rare as they are together with the word: a rare one must not outweigh the word
   * itself.
   */
  private together(reading: Reading, worth: number, { terms, found, documents }: OtherWords<Found>): Expansion<Found> {
    const factor = worth * this.rarity(documents);
    return { reading, worth, terms, ways: found.map((each) => ({ ...each, factor })) };
  }

  private byParts({ parts }: Pick<QueryName, "parts">, { reading, worth } = asNameParts): Expansion<Found> {
    const ways = parts.map((part) => {
      const asTyped = this.asTyped(part);
      return waysOf(part.isPrefix ? [asTyped, this.complete(part, asTyped)] : [asTyped]);
    });
    const terms = parts.flatMap((part) => part.terms);
    const found = ways.some((part) => part.length === 0) ? null : this.dictionary.holdingAll(terms, ways);
    const factor = found === null ? 0 : worth * this.rarity(found.documents);
    return { reading, worth, terms, ways: found === null ? [] : [{ ...found, factor }] };
  }

  /** The two words that a compound is made of; empty where it is none. `held`: how many documents hold the compound. */
  private partsOf({ word }: QueryWord, held: number): readonly Expansion<Found>[] {
    if (!mayHoldCompounds(this.query.language)) return [];
    const worth = partWorth(held);
    const expand = (part: string): Expansion<Found> => {
      const terms = partTerms(part);
      return { reading: "compound_part", worth, terms, ways: this.weigh(terms, worth) };
    };
    const split = likeliestSplit(this.dictionary.heldSplits(compoundSplits(word)), (part) =>
      this.dictionary.countAny(expand(part).ways, countedDocuments),
    );
    return split === null ? [] : [split.head, split.tail].map(expand);
  }

  /** Reads a word as two words that documents write apart; null where no document holds two such words. */
  private readApart(word: QueryWord): Expansion<Found> | null {
    const documentsOf = ({ ways }: Expansion<Found>): number => ways[0]?.documents ?? 0;
    const [best] = this.dictionary
      .heldSplits(apartSplits(word.word))
      .slice(0, mostReadApart)
      .map((split) => {
        const parts = [split.head, split.tail].map((half) => ({
          ...{ ...word, word: half, terms: apartTerms(half, split), isPrefix: false },
        }));
        return this.byParts({ parts }, asApart);
      })
      .toSorted((a, b) => documentsOf(b) - documentsOf(a));
    return best === undefined || best.ways.length === 0 ? null : best;
  }

  /** What a word may be a misspelling of that no visible document holds; else, of which words it may be a part. */
  private corrections(word: QueryWord): readonly CorrectedWord<Found>[] {
    const { asWhole, asPart } = correctable(word.word, this.query.words.length);
    const corrected = asWhole ? this.convincing(this.dictionary.near(word), 1) : [];
    if (corrected.length > 0 || !asPart) return corrected;
    return this.convincing(this.dictionary.nearParts(word), compoundWordWorth);
  }

  private convincing(near: readonly NearWords<Found>[], share: number): readonly CorrectedWord<Found>[] {
    const counted = near.map((candidate) => ({
      ...candidate,
      documents: this.dictionary.countAny(candidate.found, countedDocuments),
    }));
    return convincingCorrections(counted).map(({ word: to, worth: nearness, found }) => {
      const worth = nearness * share;
      const terms = found.map(({ term }) => term);
      return { to, expansion: { reading: "correction", worth, terms, ways: this.weighed(found, worth) } };
    });
  }

  /** The ways in which a document may hold any of these terms. Each is as rare as it is in its own language. */
  private weigh(terms: readonly string[], worth: number): readonly Way<Found>[] {
    return this.weighed(this.dictionary.find(terms), worth);
  }

  private weighed(found: readonly Found[], worth: number): readonly Way<Found>[] {
    return found.map((each) => ({ ...each, factor: worth * this.rarity(each.documents) }));
  }

  /** How much a word tells that this many of the person's documents hold. */
  private rarity(documents: number): number {
    const all = this.dictionary.documents;
    return inverseDocumentFrequency(all, Math.min(all, documents));
  }
}

/** A word that was meant, and where it is found. */
interface CorrectedWord<Found extends Held> {
  readonly to: string;
  readonly expansion: Expansion<Found>;
}

const waysOf = <Found extends Held>(expansions: readonly Expansion<Found>[]): readonly Way<Found>[] =>
  expansions.flatMap(({ ways }) => ways);

const heaviest = (ways: readonly Way<Held>[]): number => ways.reduce((most, { factor }) => Math.max(most, factor), 0);

/** Each document holds the terms of its own language, and may hold a joined one beside them. */
const areAllPlain = ([asTyped, ...others]: readonly Expansion<Held>[]): boolean =>
  others.every(({ ways }) => ways.length === 0) && asTyped?.ways.some(({ term }) => isJoinedTerm(term)) !== true;

function withShared<Found extends Held>(words: readonly RunnableWord<Found>[]): readonly RunnableWord<Found>[] {
  const counted = countingShared(words.map(({ expansions }) => expansions));
  return words.map((word, index) => {
    const expansions = counted[index] ?? word.expansions;
    return expansions === word.expansions ? word : toRunnable(word, expansions, word.isAsked);
  });
}

function toRunnable<Found extends Held>(
  { typed, isPartOfNumber }: Pick<QueryWord, "typed" | "isPartOfNumber">,
  expansions: readonly Expansion<Found>[],
  isAsked = isPartOfNumber !== true,
): RunnableWord<Found> {
  const alternatives = waysOf(expansions);
  return {
    typed,
    expansions,
    alternatives,
    areDisjoint: areAllPlain(expansions),
    sought: { terms: expansions.flatMap(({ terms }) => terms), weight: heaviest(alternatives) },
    isAsked,
  };
}
