import type { AnalysedQuery, QueryWord } from "../../../analysis/analyseQuery.js";
import {
  canBeContinued,
  completionsInOrder,
  mostCompletions,
  shortestFirst,
  wordsLookedThrough,
} from "../../../analysis/completions.js";
import {
  compoundTerms,
  headOf,
  isCompoundFrom,
  middleKeyOf,
  middleOf,
  partsAround,
  partsBeforeHead,
  mostCompounds,
  mostCompoundsLookedUp,
  mostWordsInWords,
  partsSoughtBy,
  type CompoundWord,
  type OtherParts,
} from "../../../analysis/compoundWords.js";
import { termsOf } from "../../../analysis/words.js";
import type { EngineAnswer, EngineSearch } from "./connection.js";
import { engineSurface, engineTerm, engineWord } from "./encoding.js";
import type { RememberedWords } from "./rememberedWords.js";
import type { TermStatistics } from "./termStatistics.js";

/** How many completions the vocabulary proposes: as many as the engine gives at once. */
const mostProposed = 250;
/** How many words that begin as a compound does are asked for at first: one of these mostly says enough. */
const wordsAtFirst = 8;
/** How many times more of them are asked for next. */
const moreNext = 8;
/** How many words are asked for at one go where most of them are held. */
const askedAtOnce = 25;

/** The search for words of the vocabulary that begin with one, the shortest first. */
export const proposingSearch = (vocabulary: string, beginning: string): EngineSearch => ({
  collection: vocabulary,
  q: engineWord(beginning),
  query_by: "word",
  prefix: true,
  num_typos: 0,
  max_candidates: wordsLookedThrough,
  sort_by: "length:asc",
  include_fields: "text",
  per_page: mostProposed,
});

/** Where a compound holds a word. */
type CompoundPart = "head" | "beginning" | "middle";

/** What the vocabulary proposes for one word of a query, and for what. */
interface ProposalSearch {
  /** The same for the same question. */
  readonly key: string;
  readonly word: string;
  /** The spelling or form of it that is looked for. */
  readonly sought: string;
  readonly as: "completion" | CompoundPart;
  readonly search: EngineSearch;
}

/** What has to be asked of the vocabulary, and what is found then, with all that is remembered. */
interface PendingProposals {
  readonly searches: readonly EngineSearch[];
  found(answers: readonly EngineAnswer<unknown>[]): readonly (readonly string[])[];
}

/** Words of the vocabulary that visible documents hold, and that count as a word of the query. */
export interface Proposed {
  readonly completions: readonly string[];
  readonly compounds: readonly CompoundWord[];
}

/** Asks the vocabulary for words that go on after those of a query or hold them, and keeps what the person may see. */
export class VocabularyProposals {
  constructor(
    private readonly statistics: TermStatistics,
    private readonly vocabulary: string,
    private readonly remembered: RememberedWords<readonly string[]>,
  ) {}

  /** What the vocabulary is asked: how words being typed go on, and which words hold the others. */
  searchesFor({ words, names }: AnalysedQuery): readonly ProposalSearch[] {
    const continued = [...words, ...names].filter(isContinued).map(({ word }) => this.completing(word));
    const whole = words.filter(({ isPartOfName, isLiteral }) => !isPartOfName && !isLiteral);
    const held = words.length > mostWordsInWords ? [] : whole.flatMap((word) => this.compoundSearches(word));
    return [...continued, ...held];
  }

  pending(proposals: readonly ProposalSearch[]): PendingProposals {
    const known = proposals.map(({ key }) => this.remembered.get(key, this.statistics));
    const unknown = proposals.filter((_proposal, index) => known[index] === undefined);
    return {
      searches: unknown.map(({ search }) => search),
      found: (answers) => {
        const asked = new Map(unknown.map(({ key }, index) => [key, wordsIn(answers[index])]));
        for (const [key, words] of asked) this.remembered.set(key, words, this.statistics);
        return proposals.map(({ key }, index) => known[index] ?? asked.get(key) ?? []);
      },
    };
  }

  /** The proposed words that a visible document holds as written, by the word that they are proposed for. */
  async openProposals(
    searches: readonly ProposalSearch[],
    found: readonly (readonly string[])[],
  ): Promise<ReadonlyMap<string, Proposed>> {
    const openWords = await Promise.all(searches.map((search, index) => this.openAmong(search, found[index] ?? [])));
    const open = new Map<string, Proposed>();
    searches.forEach(({ word, sought, as }, index) => {
      const words = openWords[index] ?? [];
      const { completions = [], compounds = [] } = open.get(word) ?? {};
      if (as === "completion") return void open.set(word, { completions: words, compounds });
      const more = words.map((compound) => ({ word: compound, terms: compoundTerms(compound, sought, as) }));
      open.set(word, { completions, compounds: [...compounds, ...more] });
    });
    await Promise.all([...open].map(([word, { compounds }]) => this.learnRarest(word, compounds)));
    return open;
  }

  private async openAmong(
    { word, sought, as }: ProposalSearch,
    proposed: readonly string[],
  ): Promise<readonly string[]> {
    if (as === "completion") {
      const completions = await this.firstOpen(completionsInOrder(sought, proposed), mostCompletions);
      await this.statistics.learn(completions.flatMap((completion) => termsOf(completion).map(engineTerm)));
      return completions;
    }
    const holding = proposed
      .filter((compound) => compound !== word && holdsAs(as, compound, sought))
      .sort(shortestFirst);
    const held = await this.firstOpen(holding, mostCompoundsLookedUp);
    return this.surely(held, (compound) => readAs(as, compound, sought));
  }

  /** What the rarest terms by which compounds hold the word are, besides its own, and how many documents hold them. */
  private async learnRarest(word: string, compounds: readonly CompoundWord[]): Promise<void> {
    const terms = termsInCompounds(compounds);
    await this.statistics.learnRarest(terms.map(engineTerm), mostCompounds + termsOf(word).length);
  }

  private completing(word: string): ProposalSearch {
    return proposalOf(word, "completion", proposingSearch(this.vocabulary, word));
  }

  private compoundSearches({ word, typed }: QueryWord): readonly ProposalSearch[] {
    const { heads, beginnings, middles } = partsSoughtBy(typed);
    return [
      ...heads.map((sought) => proposalOf(word, "head", this.endingSearch(headOf(sought) ?? sought), sought)),
      ...beginnings.map((sought) => proposalOf(word, "beginning", proposingSearch(this.vocabulary, sought), sought)),
      ...middles.map((sought) => proposalOf(word, "middle", this.middleSearch(middleOf(sought) ?? sought), sought)),
    ];
  }

  private endingSearch(head: string): EngineSearch {
    return { ...proposingSearch(this.vocabulary, ""), q: [...head].toReversed().join(""), query_by: "ending" };
  }

  private middleSearch(part: string): EngineSearch {
    return { ...proposingSearch(this.vocabulary, ""), q: middleKeyOf(part), query_by: "middle" };
  }

  /** Without those of which what stands before the part has to be known, and is held by no visible document. */
  private async surely(
    compounds: readonly string[],
    readOf: (compound: string) => OtherParts | null,
  ): Promise<readonly string[]> {
    const read = new Map(compounds.map((compound) => [compound, readOf(compound)]));
    const partsToBe = (known: OtherParts["known"]): readonly string[] => [
      ...new Set([...read.values()].flatMap((each) => (each?.known === known ? each.parts : []))),
    ];
    const begun = partsToBe("beginning");
    const words = partsToBe("word");
    if (begun.length + words.length === 0) return compounds;
    const proposals = this.pending(begun.map((part) => this.completing(part)));
    const [answers] = await Promise.all([
      this.statistics.learn([], proposals.searches),
      this.statistics.learnSurfaces(words),
    ]);
    const found = proposals.found(answers);
    const beginning = new Map(begun.map((part, index) => [part, found[index]]));
    const knownBy = (compound: string, { known, parts }: OtherParts): readonly (readonly string[])[] =>
      known === "word"
        ? [parts]
        : parts.map((part) => (beginning.get(part) ?? []).filter((other) => !other.startsWith(compound)));
    const unknown = await this.withoutHeld(
      [...read].flatMap(([compound, each]) =>
        each === null || each.known === null ? [] : [[compound, knownBy(compound, each)] as const],
      ),
    );
    return compounds.filter((compound) => !unknown.has(compound));
  }

  /** The compounds of whose words no visible document holds any. They are asked for in turns. */
  private async withoutHeld(
    compounds: readonly (readonly [compound: string, others: readonly (readonly string[])[]])[],
  ): Promise<ReadonlySet<string>> {
    let without = compounds;
    const longest = Math.max(0, ...compounds.flatMap(([, others]) => others.map(({ length }) => length)));
    for (let from = 0, to = wordsAtFirst; from < longest && without.length > 0; [from, to] = [to, to * moreNext]) {
      const held = await this.statistics.learnHeld(
        without.map(([, others]) => others.flatMap((each) => each.slice(from, to))),
      );
      without = without.filter((_compound, index) => held[index] !== true);
    }
    return new Set(without.map(([compound]) => compound));
  }

  private async firstOpen(words: readonly string[], most: number): Promise<readonly string[]> {
    const atOnce = this.statistics.mayBeBehind ? askedAtOnce : words.length;
    const open: string[] = [];
    for (let from = 0; from < words.length && open.length < most; from += atOnce) {
      const asked = words.slice(from, from + atOnce);
      await this.statistics.learnSurfaces(asked);
      open.push(...asked.filter((word) => this.statistics.documentsWith(engineSurface(word)) > 0));
    }
    return open.slice(0, most);
  }
}

const proposalOf = (
  word: string,
  as: ProposalSearch["as"],
  search: EngineSearch,
  sought: string = word,
): ProposalSearch => ({ key: `${as} ${sought}`, word, sought, as, search });

/** What stands before the word in a compound; null where it is none, or begins with the word. */
function readAs(as: CompoundPart, compound: string, word: string): OtherParts | null {
  if (as === "beginning") return null;
  return as === "head"
    ? partsBeforeHead(compound, headOf(word) ?? word, word)
    : partsAround(compound, middleOf(word) ?? word);
}

const holdsAs = (as: CompoundPart, compound: string, word: string): boolean =>
  as === "beginning" ? isCompoundFrom(word, compound) : readAs(as, compound, word) !== null;

/** The terms by which these compounds count as the word that they hold; distinct. */
export const termsInCompounds = (compounds: readonly CompoundWord[]): readonly string[] => [
  ...new Set(compounds.flatMap(({ terms }) => terms)),
];

/** Whether words that begin with it count as this one. */
export const isContinued = ({ isPrefix, word }: Pick<QueryWord, "isPrefix" | "word">): boolean =>
  isPrefix && canBeContinued(word);

/** The words of the vocabulary that a search has found. */
const wordsIn = (answer: EngineAnswer<unknown> | undefined): readonly string[] =>
  (answer?.hits ?? []).map(({ document }) => (document as { readonly text: string }).text);
