import type { AnalysedQuery, QueryWord } from "../../../analysis/analyseQuery.js";
import { canBeContinued } from "../../../analysis/completions.js";
import { apartTerms, partTerms, type CompoundSplit } from "../../../analysis/compounds.js";
import type { OtherParts } from "../../../analysis/compoundWords.js";
import { rareDocuments } from "../../../analysis/corrections.js";
import type { Dictionary, Held, NearWords, OtherWords } from "../../../search/readQuery.js";
import type { Lexicon, LexiconWord, NearWord, PossibleCompound } from "../../../search/lexicon.js";
import { termOfForm } from "../../../search/lexiconPages.js";
import { conditionShares, engineTerm, holdsAnyOf } from "./encoding.js";

/** How many words count as the one that they hold, the shortest. */
const mostCompounds = 200;
/**
 * How many compounds of one query are looked into that count only where what stands before is a word, too: more of a
 * query of so few words.
 */
const mostUnsure = { ofFewWords: 16, ofMany: 4 } as const;

const fewWords = 2;
/** How many words are looked at that such a part may begin. */
const mostBegun = 8;
/** How many near words are counted one by one, the nearest. */
const mostNear = 12;
/** How many words that a compound may be made of are counted, and of how many pairs what is asked next. */
const [mostParts, mostSplits] = [16, 4];

/** A term as the engine's documents hold it: by its words as they are written. */
export interface EngineTerm extends Held {
  /** A document holds the term by any of these words. */
  readonly words: readonly string[];
  /** The words of each part of a name: a document holds all of them. */
  readonly partWords?: readonly (readonly string[])[];
}

/** A condition that documents pass: each of these lists by any of its words. */
export type Condition = readonly (readonly string[])[];

export const conditionFilter = (condition: Condition): string => condition.map(holdsAnyOf).sort().join(" && ");

/** What is known of how many documents a person can see that pass conditions, and what has still to be asked. */
export interface CountedDocuments {
  /** Among all that are open to the person. Very many where it is not known yet, so that it is not looked into. */
  open(condition: Condition): number;
  /** The same; 0 where it is not known yet, so that what else a word may be is asked with it. */
  few(condition: Condition): number;
  /** About how many are open; exactly where these are few. Very many where it is not known yet. */
  about(condition: Condition): number;
  /** Whether it is known without a question that this passes many. */
  isCommon(condition: Condition): boolean;
  /** Whether any does that is open; of very many, as far as a sample of them tells. */
  isHeld(condition: Condition): boolean;
  /** Among those that may be shown. Very many where it is not known yet. */
  shown(condition: Condition): number;
  /** Whether some documents that are open may not be shown. */
  readonly isNarrowed: boolean;
  /** How many are open in all. */
  readonly documents: number;
}

/**
 * The words of documents that one person may see: the lexicon proposes them, whoever holds them, and documents that the
 * person can see are counted. A proposed word that none of these holds finds nothing.
 */
export class EngineDictionary implements Dictionary<EngineTerm> {
  private readonly mostUnsure: number;
  /** How many compounds were looked into that may be none. */
  private unsure = 0;
  /** What the lexicon has said: a query is read again once more is known. */
  private readonly said = new Map<string, unknown>();

  constructor(
    private readonly lexicon: Lexicon,
    private readonly counted: CountedDocuments,
    { words }: Pick<AnalysedQuery, "words">,
  ) {
    this.mostUnsure = words.length > fewWords ? mostUnsure.ofMany : mostUnsure.ofFewWords;
  }

  get documents(): number {
    return this.counted.documents;
  }

  /** A word that nobody writes is asked for as one that only others write: how long that takes tells nothing. */
  find(terms: readonly string[]): readonly EngineTerm[] {
    const known = terms.map((term) => ({ term, words: this.wordsOfTerm(term) }));
    if (known.every(({ words }) => words.length === 0)) this.counted.open([inEngine(terms)]);
    // How rare a word is in another language hardly matters then.
    const isCommon = known.some(({ words }) => words.length > 0 && this.counted.isCommon([words]));
    return known.flatMap(({ term, words }) => this.foundAs(term, words, isCommon ? "about" : "open"));
  }

  findBeside(terms: readonly string[]): readonly EngineTerm[] {
    return terms.flatMap((term) => {
      const words = this.wordsOfTerm(term);
      // As in {@link find}: where few are open, a word that nobody writes is asked for, too.
      if (words.length === 0) this.counted.about([inEngine([term])]);
      return this.foundAs(term, words, "about");
    });
  }

  holdingAll(terms: readonly string[], parts: readonly (readonly EngineTerm[])[]): EngineTerm | null {
    const byRarity = parts.toSorted((a, b) => placesOf(a) - placesOf(b));
    const partWords = byRarity.slice(0, conditionShares.names).map((part) => wordsOf(part));
    const documents = this.counted.open(partWords);
    if (documents === 0) return null;
    const names = byRarity.map((part) => part.map(({ term }) => term));
    return { term: terms.join(" "), parts: names, words: [], partWords, documents };
  }

  /** Where all that is open may be shown, what is known of each says enough. */
  countAny(found: readonly EngineTerm[], most: number): number {
    const highest = found.reduce((more, { documents }) => Math.max(more, documents), 0);
    if (!this.counted.isNarrowed) return highest > most ? highest : Math.min(placesOf(found), most);
    const whole = found.filter(({ partWords }) => partWords === undefined);
    const named = Math.max(0, ...found.map(({ partWords }) => (partWords ? this.counted.shown(partWords) : 0)));
    if (named > most || whole.length === 0) return named;
    return Math.max(named, this.counted.shown([wordsOf(whole)]));
  }

  completing(word: Pick<QueryWord, "word" | "terms">, own: readonly EngineTerm[]): OtherWords<EngineTerm> {
    const completing = () => (canBeContinued(word.word) ? this.lexicon.completing(word.word) : []);
    return this.together(
      this.once(`completing ${word.word}`, () => completing().flatMap(writtenIn)),
      word.terms,
      own,
    );
  }

  inCompounds(word: QueryWord, own: readonly EngineTerm[]): OtherWords<EngineTerm> {
    const isHeld = (compound: PossibleCompound): boolean =>
      compound.read === null || (this.unsure++ < this.mostUnsure && this.isSure(compound.word, compound.read));
    const possible = this.once(`parts ${word.typed}`, () =>
      this.lexicon
        .compoundsWith(word, mostCompounds)
        .map((compound) => ({ ...compound, written: writtenIn(compound) })),
    );
    return this.together(
      possible
        .filter(isHeld)
        .slice(0, mostCompounds)
        .flatMap(({ written }) => written),
      word.terms,
      own,
    );
  }

  heldSplits(splits: readonly CompoundSplit[]): readonly CompoundSplit[] {
    const known = new Map<string, readonly string[]>();
    const formsOf = (part: string): readonly string[] => {
      const forms = known.get(part) ?? this.lexicon.formsOfWord(part);
      known.set(part, forms);
      return forms;
    };
    const possible = splits.filter(({ head, tail }) => formsOf(head).length > 0 && formsOf(tail).length > 0);
    const parts = new Set([...new Set(possible.flatMap(({ head, tail }) => [head, tail]))].slice(0, mostParts));
    const isHeld = (part: string): boolean => parts.has(part) && this.counted.isHeld([inEngine(formsOf(part))]);
    const held = new Set([...parts].filter(isHeld));
    // What is asked of these next is asked for with them.
    for (const split of possible.slice(0, mostSplits)) this.prepare(split);
    return possible.filter(({ head, tail }) => held.has(head) && held.has(tail));
  }

  private prepare(split: CompoundSplit): void {
    for (const part of [split.head, split.tail]) this.find(partTerms(part));
    const [head, tail] = [split.head, split.tail].map((half) => this.find(apartTerms(half, split)));
    if (head && tail && head.length > 0 && tail.length > 0) this.holdingAll([], [head, tail]);
  }

  near(word: QueryWord): readonly NearWords<EngineTerm>[] {
    return this.heldNear(
      this.once(`near ${word.word}`, () => this.lexicon.near(word.word)),
      word,
    );
  }

  nearParts(word: QueryWord): readonly NearWords<EngineTerm>[] {
    return this.heldNear(
      this.once(`nearParts ${word.word}`, () => this.lexicon.nearParts(word.word)),
      word,
    );
  }

  /** The nearest words that documents hold: where none of the first does, the others are asked for together first. */
  private heldNear(near: readonly NearWord[], { terms }: QueryWord): readonly NearWords<EngineTerm>[] {
    const othersIn = (word: NearWord): readonly WrittenForm[] =>
      writtenIn(word).filter(({ term }) => !terms.includes(term));
    const others = near.slice(mostNear).flatMap(othersIn);
    const areOthersHeld = others.length > 0 && this.counted.few([others.map(({ word }) => word)]) > 0;
    return (areOthersHeld ? near : near.slice(0, mostNear)).flatMap((candidate) => {
      const byTerm = byTermOf(othersIn(candidate));
      const found = [...byTerm].flatMap(([term, words]) => this.foundAs(term, [...words], "few"));
      return found.length === 0 ? [] : [{ ...candidate, found }];
    });
  }

  /** Call it before a query is read again. */
  begin(): void {
    this.unsure = 0;
  }

  private once<Answer>(question: string, ask: () => Answer): Answer {
    if (!this.said.has(question)) this.said.set(question, ask());
    return this.said.get(question) as Answer;
  }

  private wordsOfTerm(term: string): readonly string[] {
    return this.once(`term ${term}`, () => inEngine(this.lexicon.formsOfTerm(term)));
  }

  private foundAs(term: string, words: readonly string[], counted: "open" | "few" | "about"): readonly EngineTerm[] {
    const documents = words.length === 0 ? 0 : this.counted[counted]([words]);
    return documents === 0 ? [] : [{ term, words, documents }];
  }

  /**
   * Forms of other words that count as one, by their terms. They count as if they were as rare as the word itself;
   * where hardly anything holds that, they are counted together.
   */
  private together(
    written: readonly WrittenForm[],
    ownTerms: readonly string[],
    own: readonly EngineTerm[],
  ): OtherWords<EngineTerm> {
    const byTerm = byTermOf(written);
    for (const term of ownTerms) byTerm.delete(term);
    const all = [...byTerm.values()].flatMap((words) => [...words]);
    const places = placesOf(own);
    const documents = all.length === 0 || places > rareDocuments ? 0 : this.counted.open([all]);
    const isFound = documents > 0 || places > rareDocuments;
    return {
      terms: [...byTerm.keys()],
      found: isFound
        ? [...byTerm].map(([term, words]) => ({ term, words: [...words], documents: documents || places }))
        : [],
      documents: documents + places,
    };
  }

  /** Whether what has to be known of a compound is, by words of documents that the person may see. */
  private isSure(compound: string, read: OtherParts): boolean {
    const words = this.once(`parts of ${compound} ${read.parts.join(" ")}`, () => {
      const begun = read.known === "word" ? [] : read.parts.flatMap((part) => this.lexicon.beginning(part, mostBegun));
      return inEngine([
        ...read.parts.flatMap((part) => this.lexicon.formsOfWord(part)),
        ...begun.filter(({ word }) => !word.startsWith(compound)).flatMap((other) => other.forms),
      ]);
    });
    return words.length > 0 && this.counted.isHeld([words]);
  }
}

/** A form in which documents hold a word: its term, and the word as the engine holds it. */
interface WrittenForm {
  readonly term: string;
  readonly word: string;
}

const writtenIn = ({ forms }: LexiconWord): readonly WrittenForm[] =>
  forms.map((form) => ({ term: termOfForm(form), word: engineTerm(form) }));

function byTermOf(written: readonly WrittenForm[]): Map<string, Set<string>> {
  const byTerm = new Map<string, Set<string>>();
  for (const { term, word } of written) {
    const known = byTerm.get(term);
    if (known === undefined) byTerm.set(term, new Set([word]));
    else known.add(word);
  }
  return byTerm;
}

const inEngine = (forms: Iterable<string>): readonly string[] => Array.from(forms, engineTerm);

const placesOf = (found: readonly Held[]): number => found.reduce((sum, { documents }) => sum + documents, 0);

/** The words of these terms; of a name those of its rarest part. */
export const wordsOf = (found: readonly EngineTerm[]): readonly string[] =>
  found.flatMap(({ words, partWords }) => partWords?.[0] ?? words);
