import type { AnalysedQuery, QueryWord } from "../../../analysis/analyseQuery.js";
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
} from "../../../analysis/compounds.js";
import { compoundWordWorth } from "../../../analysis/compoundWords.js";
import {
  convincingCorrections,
  correctable,
  countedDocuments,
  nearestFirst,
  type Correctable,
} from "../../../analysis/corrections.js";
import { rankPartCorrections } from "../../../analysis/misspelledParts.js";
import { rankCorrections } from "../../../analysis/vocabulary.js";
import { termsOf } from "../../../analysis/words.js";
import type { OpenDocuments } from "./accessFilter.js";
import type { TypesenseConnection } from "./connection.js";
import { engineSurface, engineTerm } from "./encoding.js";
import { nearSearches } from "./nearWords.js";
import type { Expansion, QueryWords } from "./queryWords.js";
import type { CollectionNames } from "./schema.js";
import type { RememberedWords } from "./rememberedWords.js";
import type { TermStatistics } from "./termStatistics.js";
import { knownSearches } from "./vocabularySearches.js";

/** How many near words are counted for the person at most. */
const mostNear = 12;
/** How many parts of one compound are counted for the person at most, the most frequent ones. */
const mostParts = 16;

/** A word that hardly any of the person's documents hold. */
export interface RareWord {
  readonly word: QueryWord;
  /** How many documents hold it that the person can see. */
  readonly documents: number;
}

/** What stands in for a rare word, or beside it. */
export interface Reading {
  /** The two words that a compound is made of; empty where it is none. */
  readonly parts: readonly Expansion[];
  /** The word read as two words that documents write apart; null where it is not read so. */
  readonly apart: Expansion | null;
  readonly corrections: readonly { readonly to: string; readonly expansion: Expansion }[];
}

const asItIs: Reading = { parts: [], apart: null, corrections: [] };

/** What the vocabulary knows of a word. */
export interface Proposal {
  readonly splits: readonly CompoundSplit[];
  /** Two words that documents may write apart. */
  readonly apart: readonly CompoundSplit[];
  readonly near: readonly NearWord[];
  /** Compounds of which it may be a misspelled part. */
  readonly nearParts: readonly NearWord[];
}

interface NearWord {
  readonly word: string;
  readonly distance: number;
}

type ProposedFor = RareWord & Proposal;

/** The terms by which documents hold a word. */
type TermsOfWord = (word: string) => readonly string[];

/** In how many documents that the person can see words stand: as parts of compounds, and as words of any language. */
interface VisibleDocuments {
  readonly withPart: ReadonlyMap<string, number>;
  readonly withWord: ReadonlyMap<string, number>;
}

const nearAs = (
  { asWhole, asPart }: Correctable,
  { near, nearParts }: Proposal,
): Pick<Proposal, "near" | "nearParts"> => ({
  near: asWhole ? near : [],
  nearParts: asPart ? nearParts : [],
});

interface RareWordsOptions {
  readonly connection: TypesenseConnection;
  readonly names: CollectionNames;
  readonly statistics: TermStatistics;
  readonly words: QueryWords;
  readonly proposals: RememberedWords<Proposal>;
}

/**
 * What a rare or unknown word may stand for: a compound of two words, or a misspelled word. The engine's own matching
 * of words proposes; only documents that the person can see decide.
 */
export class RareWords {
  private readonly connection: TypesenseConnection;
  private readonly names: CollectionNames;
  private readonly statistics: TermStatistics;
  private readonly words: QueryWords;
  private readonly proposals: RememberedWords<Proposal>;

  constructor({ connection, names, statistics, words, proposals }: RareWordsOptions) {
    this.connection = connection;
    this.names = names;
    this.statistics = statistics;
    this.words = words;
    this.proposals = proposals;
  }

  /** @param visible the documents that may be shown. */
  async readingsOf(
    rare: readonly RareWord[],
    { language, words }: AnalysedQuery,
    visible: OpenDocuments,
  ): Promise<readonly Reading[]> {
    const proposals = (await this.propose(rare, mayHoldCompounds(language))).map((proposal) => ({
      ...proposal,
      ...nearAs(correctable(proposal.word.word, words.length), proposal),
    }));
    const proposed = [
      ...new Set(
        proposals.flatMap(({ splits, apart, near, nearParts }) => [
          ...[...splits, ...apart].flatMap(({ head, tail }) => [head, tail]),
          ...[...near, ...nearParts].map(({ word }) => word),
        ]),
      ),
    ];
    await this.statistics.learnSurfaces(proposed);
    const held = proposed.filter((word) => this.statistics.documentsWith(engineSurface(word)) > 0);
    await this.statistics.learn(held.flatMap(termsOf).map(engineTerm));
    const parts = proposals.flatMap(({ splits }) => this.mostFrequentParts(splits));
    const nearest = proposals.flatMap(({ near, nearParts }) => [...this.known(near), ...this.known(nearParts)]);
    const pairs = proposals.map((proposal) => (proposal.documents > 0 ? [] : this.heldPairs(proposal)));
    const [withPart, withWord, together] = await Promise.all([
      this.visibleDocuments(parts, partTerms, visible),
      this.visibleDocuments(
        nearest.map(({ word }) => word),
        termsOf,
        visible,
      ),
      this.documentsWithBoth(pairs.flat(), visible),
    ]);
    return proposals.map((proposal, index) => {
      const [pair] = (pairs[index] ?? []).toSorted((a, b) => (together.get(b) ?? 0) - (together.get(a) ?? 0));
      const apart = pair === undefined || (together.get(pair) ?? 0) === 0 ? null : pair;
      return this.read(proposal, apart, { withPart, withWord });
    });
  }

  /** The pairs of words of which visible documents hold both, be it apart from each other. */
  private heldPairs({ apart }: Proposal): readonly CompoundSplit[] {
    const isHeld = (word: string): boolean => this.documentsWith(word) > 0;
    return apart.filter(({ head, tail }) => isHeld(head) && isHeld(tail)).slice(0, mostReadApart);
  }

  private async documentsWithBoth(
    pairs: readonly CompoundSplit[],
    visible: OpenDocuments,
  ): Promise<ReadonlyMap<CompoundSplit, number>> {
    const holding = (half: string, pair: CompoundSplit): string =>
      `s:[${apartTerms(half, pair).map(engineTerm).join(",")}]`;
    const documents = await this.statistics.documentsPassing(
      pairs.map((pair) => `${holding(pair.head, pair)} && ${holding(pair.tail, pair)}`),
      visible,
    );
    return new Map(pairs.map((pair, index) => [pair, documents[index] ?? 0]));
  }

  private read(
    { word, documents, splits, near, nearParts }: ProposedFor,
    pair: CompoundSplit | null,
    { withPart, withWord }: VisibleDocuments,
  ): Reading {
    const split = likeliestSplit(splits, (part) => withPart.get(part) ?? 0);
    if (split !== null) {
      const reading = { reading: "compound_part", worth: partWorth(documents) } as const;
      const half = (part: string): Expansion => this.words.expand(partTerms(part), reading);
      return { ...asItIs, parts: [split.head, split.tail].map(half) };
    }
    if (documents > 0) return asItIs;
    if (pair !== null) return { ...asItIs, apart: this.words.apart(word, pair) };
    const convincing = (candidates: readonly NearWord[], share: number): Reading["corrections"] =>
      convincingCorrections(
        candidates.map((candidate) => ({ ...candidate, documents: withWord.get(candidate.word) ?? 0 })),
      ).map(({ word: to, worth }) => {
        const terms = termsOf(to).filter((term) => !word.terms.includes(term));
        return { to, expansion: this.words.expand(terms, { reading: "correction", worth: worth * share }) };
      });
    const corrections = convincing(near, 1);
    return {
      ...asItIs,
      corrections: corrections.length > 0 ? corrections : convincing(nearParts, compoundWordWorth),
    };
  }

  private async propose(rare: readonly RareWord[], mayBeCompounds: boolean): Promise<readonly ProposedFor[]> {
    const keyOf = ({ word, documents }: RareWord): string => `${mayBeCompounds} ${documents > 0} ${word.word}`;
    const known = rare.map((one) => this.proposals.get(keyOf(one), this.statistics));
    const unknown = rare.filter((_one, index) => known[index] === undefined);
    const found = unknown.length === 0 ? [] : await this.askVocabulary(unknown, mayBeCompounds);
    unknown.forEach((one, index) => this.proposals.set(keyOf(one), found[index] as Proposal, this.statistics));
    return rare.map((one, index) => ({ ...one, ...(known[index] ?? (found[unknown.indexOf(one)] as Proposal)) }));
  }

  /** What the vocabulary knows of parts, and of words near to those that no document of the person's holds. */
  private async askVocabulary(rare: readonly RareWord[], mayBeCompounds: boolean): Promise<readonly Proposal[]> {
    const splits = rare.map(({ word: { word } }) => (mayBeCompounds ? compoundSplits(word) : []));
    const apart = rare.map(({ word: { word }, documents }) => (documents > 0 ? [] : apartSplits(word)));
    const parts = [...new Set([...splits, ...apart].flat().flatMap(({ head, tail }) => [head, tail]))];
    const knownAsked = knownSearches(this.names.words, parts);
    const nearAsked = rare.map(({ word: { word }, documents }) =>
      documents > 0 ? [] : nearSearches(this.names.words, word),
    );
    const answers = await this.connection.search<{ readonly text: string }>([...knownAsked, ...nearAsked.flat()]);
    const texts = answers.map(({ hits }) => hits.map(({ document }) => document.text));
    const known = new Set(texts.slice(0, knownAsked.length).flat());
    const isKnown = ({ head, tail }: CompoundSplit): boolean => known.has(head) && known.has(tail);
    let from = knownAsked.length;
    return rare.map(({ word: { word } }, index) => {
      const to = from + (nearAsked[index]?.length ?? 0);
      const proposed = [...new Set(texts.slice(from, to).flat())];
      from = to;
      return {
        splits: (splits[index] ?? []).filter(isKnown),
        apart: (apart[index] ?? []).filter(isKnown),
        near: rankCorrections(
          word,
          proposed.map((candidate) => ({ word: candidate, documents: 0 })),
        ),
        nearParts: rankPartCorrections(word, proposed),
      };
    });
  }

  /** The words that stand in any document that the person can see: the nearest and most frequent ones. */
  private known(near: readonly NearWord[]): readonly NearWord[] {
    return near
      .map((candidate) => ({ ...candidate, documents: this.documentsWith(candidate.word) }))
      .filter(({ documents }) => documents > 0)
      .sort(nearestFirst)
      .slice(0, mostNear);
  }

  private mostFrequentParts(splits: readonly CompoundSplit[]): readonly string[] {
    const frequent = splits
      .map(({ head, tail }) => ({
        head,
        tail,
        documents: Math.min(this.documentsWith(head, partTerms), this.documentsWith(tail, partTerms)),
      }))
      .filter(({ documents }) => documents > 0)
      .sort((a, b) => b.documents - a.documents);
    return [...new Set(frequent.flatMap(({ head, tail }) => [head, tail]))].slice(0, mostParts);
  }

  /** None where no visible document holds the word as written: a stem alone would tell of hidden forms. */
  private documentsWith(word: string, countedBy: TermsOfWord = termsOf): number {
    if (this.statistics.documentsWith(engineSurface(word)) === 0) return 0;
    return countedBy(word).reduce((sum, term) => sum + this.statistics.documentsWith(engineTerm(term)), 0);
  }

  private async visibleDocuments(
    counted: readonly string[],
    countedBy: TermsOfWord,
    visible: OpenDocuments,
  ): Promise<ReadonlyMap<string, number>> {
    const words = [...new Set(counted)];
    const documents = await this.statistics.documentsPassing(
      words.map((word) => `s:[${countedBy(word).map(engineTerm).join(",")}]`),
      visible,
    );
    return new Map(words.map((word, index) => [word, Math.min(countedDocuments, documents[index] ?? 0)]));
  }
}
