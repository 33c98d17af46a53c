import type { AnalysedQuery, QueryName, QueryWord } from "../../../analysis/analyseQuery.js";
import { compoundWordWorth, mostCompounds } from "../../../analysis/compoundWords.js";
import { completedPlaces, completionWorth, likeliestCompletions } from "../../../analysis/completions.js";
import { apartTerms, type CompoundSplit } from "../../../analysis/compounds.js";
import { apartWorth, joinedWorth, namePartsWorth } from "../../../analysis/rankingRules.js";
import { countingShared } from "../../../analysis/sharedCompounds.js";
import type { SoughtWord } from "../../../analysis/snippet.js";
import { isJoinedTerm, termsOf } from "../../../analysis/words.js";
import type { Reading } from "../../../readModels/explanation.js";
import { engineTerm } from "./encoding.js";
import type { TermStatistics } from "./termStatistics.js";
import { isContinued, termsInCompounds, type Proposed } from "./vocabularyProposals.js";

/** One way in which a document may hold a word of the query. */
export interface Way {
  /** The term in the engine's form, and as the analyzer makes it. */
  readonly term: string;
  readonly analysed: string;
  /**
   * The parts of a name, the rarest first: a document holds all of them, each by any of its terms. The term then stands
   * for no word.
   */
  readonly parts?: readonly (readonly string[])[];
  /** The same as the analyzer makes them. */
  readonly analysedParts?: readonly (readonly string[])[];
  /** Rarity, times what this way of matching is worth. */
  readonly factor: number;
  /** False where nothing held it when it was asked for. What has come since is found all the same. */
  readonly isSeen: boolean;
}

/** Terms that count as a word of the query, and the ways in which they are held. */
export interface Expansion {
  readonly reading: Reading;
  /** What this reading is worth, compared with the word as typed. */
  readonly worth: number;
  /** The terms as the analyzer makes them. */
  readonly terms: readonly string[];
  readonly ways: readonly Way[];
}

/** A word of the query as it is run. */
export interface RunnableWord {
  /** The word as typed. */
  readonly typed: string;
  /** How it was read. */
  readonly expansions: readonly Expansion[];
  /** The ways of all expansions. */
  readonly ways: readonly Way[];
  /** True where no document can hold it in two of the ways: a document holds it in its own language alone. */
  readonly areDisjoint: boolean;
  /** The word to be marked in the passage shown. */
  readonly sought: SoughtWord;
  /** False for one that says the same as others of the query. */
  readonly isAsked: boolean;
}

/** A word as typed, with its weight. */
export type TypedWord = QueryWord & { readonly weight: number };

/** A word of the query as it is run before anything is known of what the person can see. */
export interface ReadWord {
  readonly word: QueryWord;
  readonly expansions: readonly Expansion[];
  /** False for one that says the same as others of the query: `Homeoffice` beside `Home` and `Office`. */
  readonly isAsked: boolean;
  /** Whether it may be a compound or misspelled, where hardly anything holds it. */
  readonly mayBeRead: boolean;
}

type ReadAs = Pick<Expansion, "reading" | "worth">;
const asCompletion: ReadAs = { reading: "completion", worth: completionWorth };
const asCompound: ReadAs = { reading: "compound", worth: compoundWordWorth };
const asNameParts: ReadAs = { reading: "name_parts", worth: namePartsWorth };
const asApart: ReadAs = { reading: "apart", worth: apartWorth };

/** Every term of these words, in the engine's form. */
const engineTermsOf = (terms: readonly string[]): readonly string[] => terms.map(engineTerm);

/** Turns the words of a query into ways to be found: as typed, as the beginning of a word, and as a part of others. */
export class QueryWords {
  constructor(private readonly statistics: TermStatistics) {}

  /** The terms that have to be learnt before the words can be weighed. */
  termsToLearn({ words, names, joined }: AnalysedQuery): readonly string[] {
    return [...words, ...names, ...joined].flatMap(({ terms }) => engineTermsOf(terms));
  }

  /** Call it once the terms have been learnt. */
  weigh(words: readonly QueryWord[]): readonly TypedWord[] {
    return words.map((word) => ({ ...word, weight: toRunnable(word, [this.expand(word.terms)]).sought.weight }));
  }

  /** Call it once the terms have been learnt. */
  read({ words, names, joined }: AnalysedQuery, open: ReadonlyMap<string, Proposed>): readonly ReadWord[] {
    const readNames = names.map((name) => ({ loose: name.loose, read: this.readName(name, open) }));
    const isLoose = ({ loose, read }: (typeof readNames)[number]): boolean => loose.length > 0 && !isHeld(read);
    const plain = words.filter(({ isPartOfName }) => !isPartOfName);
    const counting = [...plain, ...readNames.filter(isLoose).flatMap(({ loose }) => loose)];
    const readWords = counting.map((word) => this.readWord(word, open));
    const counted = countingShared(readWords.map(({ expansions }) => expansions));
    return [
      ...readWords.map((read, index) => ({ ...read, expansions: counted[index] ?? read.expansions })),
      ...readNames.filter((name) => !isLoose(name)).map(({ read }) => read),
      ...joined.flatMap((word) => {
        const expansions = word.terms.map((term) =>
          this.expand([term], { reading: "joined", worth: joinedWorth(term) }),
        );
        const isFound = expansions.some(({ ways }) => ways.length > 0);
        return isFound ? [{ word, expansions, isAsked: false, mayBeRead: false }] : [];
      }),
    ];
  }

  private readWord(word: QueryWord, open: ReadonlyMap<string, Proposed>): ReadWord {
    const asTyped = this.expand(word.terms);
    const { completions = [], compounds = [] } = open.get(word.word) ?? {};
    const expansions = [
      asTyped,
      ...(isContinued(word) ? [this.together(asTyped, this.completing(word, completions), asCompletion)] : []),
      ...(compounds.length > 0 ? [this.together(asTyped, this.inCompounds(word, compounds), asCompound)] : []),
    ];
    return { word, expansions, isAsked: word.isPartOfNumber !== true, mayBeRead: !word.isLiteral };
  }

  /** Reads a name as it is typed, in one word, or by all of its parts. */
  private readName(name: QueryName, open: ReadonlyMap<string, Proposed>): ReadWord {
    const whole = this.expand(name.terms);
    const { completions = [] } = open.get(name.word) ?? {};
    const expansions = [
      whole,
      ...(isContinued(name) ? [this.together(whole, this.completing(name, completions), asCompletion)] : []),
      ...(name.parts.length > 0 ? [this.byParts(name, open)] : []),
    ];
    return { word: { ...name, isPartOfName: false }, expansions, isAsked: true, mayBeRead: false };
  }

  /** A word of the query as two that documents write apart. */
  apart(word: QueryWord, split: CompoundSplit): Expansion {
    const parts = [split.head, split.tail].map((half) => ({
      ...{ ...word, word: half, terms: apartTerms(half, split), isPrefix: false },
    }));
    return this.byParts({ parts }, new Map(), asApart);
  }

  /**
   * Reads a name by its parts. It counts as rare as its rarest part: how many documents hold all of them is not known.
   */
  private byParts(
    { parts }: Pick<QueryName, "parts">,
    open: ReadonlyMap<string, Proposed>,
    { reading, worth }: ReadAs = asNameParts,
  ): Expansion {
    const held = parts
      .map((part) => {
        const { completions = [] } = (isContinued(part) ? open.get(part.word) : undefined) ?? {};
        const analysed = [...part.terms, ...this.completing(part, completions)];
        const terms = engineTermsOf(analysed);
        return {
          terms,
          analysed,
          documents: terms.reduce((sum, term) => sum + this.statistics.documentsWith(term), 0),
        };
      })
      .sort((a, b) => a.documents - b.documents);
    const terms = parts.flatMap((part) => part.terms);
    const documents = held[0]?.documents ?? 0;
    const read = { reading, worth, terms };
    if (documents === 0) return { ...read, ways: [] };
    const factor = worth * this.statistics.rarityOf(documents);
    const asHeld = { parts: held.map((part) => part.terms), analysedParts: held.map(({ analysed }) => analysed) };
    return { ...read, ways: [{ term: "", analysed: terms.join(" "), ...asHeld, factor, isSeen: true }] };
  }

  /** The terms of these completions that are not terms of the word itself. */
  completing(word: Pick<QueryWord, "word" | "terms">, completions: readonly string[]): readonly string[] {
    return [...new Set(likeliestCompletions(word.word, completions).flatMap(termsOf))].filter(
      (term) => !word.terms.includes(term),
    );
  }

  /** The terms by which these compounds count as the word: the rarest, since they say most. */
  private inCompounds(word: QueryWord, compounds: Proposed["compounds"]): readonly string[] {
    const documentsWith = (term: string): number => this.statistics.documentsWith(engineTerm(term));
    return termsInCompounds(compounds)
      .filter((term) => !word.terms.includes(term) && documentsWith(term) > 0)
      .sort((a, b) => documentsWith(a) - documentsWith(b))
      .slice(0, mostCompounds);
  }

  /** Any of these terms, each as rare as it is in its own language. Call it once they have been learnt. */
  expand(terms: readonly string[], { reading = "as_typed", worth = 1 }: Partial<ReadAs> = {}): Expansion {
    const ways = terms
      .map((analysed) => ({ analysed, term: engineTerm(analysed) }))
      .map((way) => ({ ...way, documents: this.statistics.documentsWith(way.term) }))
      .filter(({ documents }) => documents > 0 || this.statistics.mayBeBehind)
      .map(({ documents, ...way }) => ({
        ...way,
        factor: worth * this.statistics.rarityOf(Math.max(1, documents)),
        isSeen: documents > 0,
      }));
    return { reading, worth, terms, ways };
  }

  /**
   * All of them count as if they were as rare as they are together with the word: a rare one must not outweigh the word
   * itself.
   */
  private together(asTyped: Expansion, terms: readonly string[], { reading, worth }: ReadAs): Expansion {
    const found: Pick<Way, "term" | "analysed">[] = [];
    let places = 0;
    for (const analysed of terms) {
      if (places >= completedPlaces) break;
      const term = engineTerm(analysed);
      const documents = this.statistics.documentsWith(term);
      places += documents;
      if (documents > 0) found.push({ term, analysed });
    }
    const all = places + asTyped.ways.reduce((sum, { term }) => sum + this.statistics.documentsWith(term), 0);
    const factor = worth * this.statistics.rarityOf(all);
    return { reading, worth, terms, ways: found.map((way) => ({ ...way, factor, isSeen: true })) };
  }
}

/** Whether anything held it when it was asked for. */
const isHeld = ({ expansions }: ReadWord): boolean => expansions.some(({ ways }) => ways.some(({ isSeen }) => isSeen));

/** Each document holds the terms of its own language, and may hold a joined one beside them. */
const areAllPlain = ([asTyped, ...others]: readonly Expansion[]): boolean =>
  others.every(({ ways }) => ways.length === 0) &&
  asTyped?.ways.some(({ analysed, isSeen }) => isSeen && isJoinedTerm(analysed)) !== true;

/** A word with the ways in which it is run. */
export function toRunnable(
  { typed }: Pick<QueryWord, "typed">,
  expansions: readonly Expansion[],
  isAsked = true,
): RunnableWord {
  const ways = expansions.flatMap((expansion) => expansion.ways);
  const weight = ways.reduce((most, { factor, isSeen }) => (isSeen ? Math.max(most, factor) : most), 0);
  return {
    typed,
    expansions,
    ways,
    areDisjoint: areAllPlain(expansions),
    sought: { terms: expansions.flatMap(({ terms }) => terms), weight },
    isAsked,
  };
}
