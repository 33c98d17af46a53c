import type { AnalysedQuery, QueryName, QueryWord } from "../../../analysis/analyseQuery.js";
import { inverseDocumentFrequency } from "../../../analysis/bm25f.js";
import { completedPlaces, completionWorth } from "../../../analysis/completions.js";
import { apartTerms, mayHoldCompounds } from "../../../analysis/compounds.js";
import { compoundWordWorth, mostCompounds, mostWordsInWords } from "../../../analysis/compoundWords.js";
import { correctable, mostRareWords, rareDocuments } from "../../../analysis/corrections.js";
import { apartWorth, joinedWorth, namePartsWorth } from "../../../analysis/rankingRules.js";
import { countingShared } from "../../../analysis/sharedCompounds.js";
import type { SoughtWord } from "../../../analysis/snippet.js";
import { isJoinedTerm, termsOf } from "../../../analysis/words.js";
import type { Correction } from "../../../readModels/search.js";
import { holdingAll } from "./nameWords.js";
import type { PostingsCache } from "./postings.js";
import { RareWords, type Expansion, type Found, type Way } from "./rareWords.js";
import type { Visibility } from "./visibility.js";
import type { VocabularyLookup } from "./vocabularyLookup.js";

/** A word of the query as it is run: the ways in which a document may hold it. */
export interface RunnableWord {
  /** The word as typed. */
  readonly typed: string;
  /** How it was read. */
  readonly expansions: readonly Expansion[];
  /** The ways of all expansions. */
  readonly alternatives: readonly Way[];
  /** True where no document can hold it in two of the ways: a document holds it in its own language alone. */
  readonly areDisjoint: boolean;
  /** The word to be marked in the passage shown. */
  readonly sought: SoughtWord;
  /** False for one that says the same as others of the query: `Homeoffice` beside `Home` and `Office`. */
  readonly isAsked: boolean;
}

/** A word as typed, with its weight. */
type TypedWord = QueryWord & { readonly weight: number };

export interface RunnableQuery {
  readonly words: readonly RunnableWord[];
  readonly typed: readonly TypedWord[];
  /** What words were taken for that nothing holds; folded, and not distinct. */
  readonly corrected: readonly Correction[];
}

/** One word of the query, read. */
interface ReadWord {
  readonly runnable: readonly RunnableWord[];
  readonly weight: number;
  readonly corrected: readonly Correction[];
}

type ReadAs = Pick<Expansion, "reading" | "worth">;
const asNameParts: ReadAs = { reading: "name_parts", worth: namePartsWorth };
const asApart: ReadAs = { reading: "apart", worth: apartWorth };

/**
 * Turns the words of a query into postings: as typed, as the beginning of a word, as a part of other words, and, where
 * nothing holds them, as a compound of two words or corrected. Documents that the person can see decide what is there.
 */
export class QueryWords {
  private readonly rareWords;

  constructor(
    private readonly postings: PostingsCache,
    private readonly vocabulary: VocabularyLookup,
  ) {
    this.rareWords = new RareWords(vocabulary, (terms, worth, visibility) => this.weigh(terms, worth, visibility));
  }

  toRun(query: AnalysedQuery, visibility: Visibility): RunnableQuery {
    const { words, names, joined, language } = query;
    let looked = 0;
    const mayLook = (): boolean => looked++ < mostRareWords;
    const read = new Map<QueryWord, ReadWord>();
    const readWord = (word: QueryWord): ReadWord =>
      this.read(word, { mayLook, words: words.length, mayBeCompound: mayHoldCompounds(language) }, visibility);
    for (const word of words) if (!word.isPartOfName) read.set(word, readWord(word));
    const readNames = names.map((name) => this.readName(name, readWord, visibility));
    const others = joined.map((word) => toRunnable(word, this.asJoined(word, visibility), false));
    const all = [...read.values(), ...readNames];
    return {
      words: [
        ...withShared(all.flatMap(({ runnable }) => runnable)),
        ...others.filter(({ alternatives }) => alternatives.length > 0),
      ],
      typed: words.map((word) => ({ ...word, weight: read.get(word)?.weight ?? this.weightOf(word, visibility) })),
      corrected: all.flatMap(({ corrected }) => corrected),
    };
  }

  private asTyped({ terms }: Pick<QueryWord, "terms">, visibility: Visibility): Expansion {
    return { reading: "as_typed", worth: 1, terms, ways: this.weigh(terms, 1, visibility) };
  }

  private asJoined({ terms }: QueryWord, visibility: Visibility): readonly Expansion[] {
    return terms.map((term) => {
      const worth = joinedWorth(term);
      return { reading: "joined", worth, terms: [term], ways: this.weigh([term], worth, visibility) };
    });
  }

  private weightOf(word: QueryWord, visibility: Visibility): number {
    return heaviest(this.asTyped(word, visibility).ways);
  }

  private read(
    word: QueryWord,
    { mayLook, words, mayBeCompound }: { mayLook(): boolean; words: number; mayBeCompound: boolean },
    visibility: Visibility,
  ): ReadWord {
    const asTyped = this.asTyped(word, visibility);
    const expansions = [asTyped];
    const weight = heaviest(asTyped.ways);
    if (word.isPrefix) expansions.push(this.complete(word, asTyped, visibility));
    if (!word.isLiteral && words <= mostWordsInWords) expansions.push(this.inCompounds(word, asTyped, visibility));
    const documents = this.documentsOf(expansions, visibility);
    if (word.isLiteral || documents > rareDocuments || !mayLook())
      return { runnable: [toRunnable(word, expansions)], weight, corrected: [] };
    const parts = mayBeCompound ? this.rareWords.partsOf(word, documents, visibility) : [];
    if (parts.length > 0)
      return {
        runnable: [...parts.map((part) => toRunnable(word, [part])), toRunnable(word, expansions, false)],
        weight,
        corrected: [],
      };
    const apart = documents === 0 ? this.readApart(word, visibility) : null;
    if (apart !== null) return { runnable: [toRunnable(word, [...expansions, apart])], weight, corrected: [] };
    const corrections =
      documents === 0 ? this.rareWords.corrections(word, correctable(word.word, words), visibility) : [];
    return {
      runnable: [toRunnable(word, [...expansions, ...corrections.map(({ expansion }) => expansion)])],
      weight,
      corrected: corrections.map(({ to }) => ({ from: word.typed, to })),
    };
  }

  /** Reads a name as it is typed, in one word, or by all of its parts; where no document holds it so, word by word. */
  private readName(name: QueryName, readWord: (word: QueryWord) => ReadWord, visibility: Visibility): ReadWord {
    const whole = this.asTyped(name, visibility);
    const expansions = name.isPrefix ? [whole, this.complete(name, whole, visibility)] : [whole];
    if (name.parts.length > 0) expansions.push(this.byParts(name, visibility));
    const runnable = toRunnable(name, expansions);
    const { weight } = runnable.sought;
    if (runnable.alternatives.length > 0 || name.loose.length === 0)
      return { runnable: [runnable], weight, corrected: [] };
    const loose = name.loose.map(readWord);
    return {
      runnable: loose.flatMap((word) => word.runnable),
      weight,
      corrected: loose.flatMap(({ corrected }) => corrected),
    };
  }

  /** Reads a word as two words that documents write apart; null where no document holds two such words. */
  private readApart(word: QueryWord, visibility: Visibility): Expansion | null {
    const documentsOf = ({ ways }: Expansion): number => ways[0]?.documents ?? 0;
    const [best] = this.rareWords
      .apart(word, visibility)
      .map((split) => {
        const parts = [split.head, split.tail].map((half) => ({
          ...{ ...word, word: half, terms: apartTerms(half, split), isPrefix: false },
        }));
        return this.byParts({ parts }, visibility, asApart);
      })
      .toSorted((a, b) => documentsOf(b) - documentsOf(a));
    return best === undefined || best.ways.length === 0 ? null : best;
  }

  private byParts(
    { parts }: Pick<QueryName, "parts">,
    visibility: Visibility,
    { reading, worth }: ReadAs = asNameParts,
  ): Expansion {
    const ways = parts.map((part) => {
      const asTyped = this.asTyped(part, visibility);
      const expansions = part.isPrefix ? [asTyped, this.complete(part, asTyped, visibility)] : [asTyped];
      return waysOf(expansions);
    });
    const terms = parts.flatMap((part) => part.terms);
    const found = ways.map((part) => part.map(({ postings }) => postings));
    const postings = holdingAll(found, (slot) => visibility.opens(slot));
    const documents = visibility.countOpen(postings);
    const read = { reading, worth, terms };
    if (documents === 0) return { ...read, ways: [] };
    const held = ways.map((part) => part.map(({ term }) => term));
    const factor = worth * rarity(documents, visibility);
    return { ...read, ways: [{ term: terms.join(" "), parts: held, postings, documents, factor }] };
  }

  /** How many documents may be shown that hold it in any of these ways, up to a few. */
  private documentsOf(expansions: readonly Expansion[], visibility: Visibility): number {
    return visibility.countAny(
      waysOf(expansions).map(({ postings }) => postings),
      rareDocuments + 1,
    );
  }

  /** The ways in which a document may hold any of these terms. Each is as rare as it is in its own language. */
  private weigh(terms: readonly string[], worth: number, visibility: Visibility): readonly Way[] {
    return this.find(terms, visibility).map((found) => ({
      ...found,
      factor: worth * rarity(found.documents, visibility),
    }));
  }

  private complete(word: Pick<QueryWord, "word" | "terms">, asTyped: Expansion, visibility: Visibility): Expansion {
    const terms = [...new Set(this.vocabulary.completions(word.word, visibility).flatMap(termsOf))].filter(
      (term) => !word.terms.includes(term),
    );
    const found: Found[] = [];
    let places = 0;
    for (const term of terms) {
      if (places >= completedPlaces) break;
      found.push(...this.find([term], visibility));
      places = placesOf(found);
    }
    return this.together({ reading: "completion", worth: completionWorth, terms }, found, asTyped, visibility);
  }

  /** Words that hold this one: the rarest, since they say most. */
  private inCompounds(word: QueryWord, asTyped: Expansion, visibility: Visibility): Expansion {
    const compounds = this.vocabulary.compoundsWith(word, visibility);
    const terms = [...new Set(compounds.flatMap((compound) => compound.terms))].filter(
      (term) => !word.terms.includes(term),
    );
    const found = this.find(terms, visibility)
      .toSorted((a, b) => a.documents - b.documents)
      .slice(0, mostCompounds);
    return this.together({ reading: "compound", worth: compoundWordWorth, terms }, found, asTyped, visibility);
  }

  /**
   * All of them count as if they were as rare as they are together with the word: a rare one must not outweigh the word
   * itself.
   */
  private together(
    read: Omit<Expansion, "ways">,
    found: readonly Found[],
    asTyped: Expansion,
    visibility: Visibility,
  ): Expansion {
    const factor = read.worth * rarity(placesOf(found) + placesOf(asTyped.ways), visibility);
    return { ...read, ways: found.map((each) => ({ ...each, factor })) };
  }

  /** Terms that stand in no document of the person are left out. */
  private find(terms: readonly string[], visibility: Visibility): readonly Found[] {
    return terms
      .map((term) => ({ term, postings: this.postings.ofTerm(term) }))
      .map((found) => ({ ...found, documents: visibility.countOpen(found.postings) }))
      .filter(({ documents }) => documents > 0);
  }
}

const placesOf = (found: readonly Found[]): number => found.reduce((sum, { documents }) => sum + documents, 0);

/** How much a word tells that this many of the person's documents hold. */
const rarity = (documents: number, { all }: Visibility): number =>
  inverseDocumentFrequency(all.documents, Math.min(all.documents, documents));

const waysOf = (expansions: readonly Expansion[]): readonly Way[] => expansions.flatMap(({ ways }) => ways);
const heaviest = (ways: readonly Way[]): number => ways.reduce((most, { factor }) => Math.max(most, factor), 0);

/** Each document holds the terms of its own language, and may hold a joined one beside them. */
const areAllPlain = ([asTyped, ...others]: readonly Expansion[]): boolean =>
  others.every(({ ways }) => ways.length === 0) && asTyped?.ways.some(({ term }) => isJoinedTerm(term)) !== true;

function withShared(words: readonly RunnableWord[]): readonly RunnableWord[] {
  const counted = countingShared(words.map(({ expansions }) => expansions));
  return words.map((word, index) => {
    const expansions = counted[index] ?? word.expansions;
    return expansions === word.expansions ? word : toRunnable(word, expansions, word.isAsked);
  });
}

function toRunnable(
  { typed, isPartOfNumber }: Pick<QueryWord, "typed" | "isPartOfNumber">,
  expansions: readonly Expansion[],
  isAsked = isPartOfNumber !== true,
): RunnableWord {
  const alternatives = waysOf(expansions);
  const weight = heaviest(alternatives);
  return {
    typed,
    expansions,
    alternatives,
    areDisjoint: areAllPlain(expansions),
    sought: { terms: expansions.flatMap(({ terms }) => terms), weight },
    isAsked,
  };
}
