import type { AnalysedQuery } from "../../../analysis/analyseQuery.js";
import type { Language } from "../../../shared/texts.js";
import type { FacetsAsked, Correction } from "../../../readModels/search.js";
import type { Visibility } from "./accessFilter.js";
import type { CandidateScores } from "./candidates.js";
import type { EngineAnswer, TypesenseConnection } from "./connection.js";
import type { Directory } from "./directory.js";
import { firstRows, isFew, RememberedRows } from "./firstRows.js";
import { matchCount, matchingIn, withoutWeak } from "./matches.js";
import { canBeMet, demandChecks, demandsOf, type Demand } from "./phrases.js";
import type { Plan } from "./plan.js";
import { asTyped, rareAmong, rareByCount, readAs, type AskedWord, type QueryAsRead } from "./queryAsRead.js";
import { QueryWords, type ReadWord, type TypedWord } from "./queryWords.js";
import { RareWords, type Proposal, type RareWord } from "./rareWords.js";
import { RememberedWords } from "./rememberedWords.js";
import type { Run } from "./resultPages.js";
import type { CollectionNames } from "./schema.js";
import type { ServedPosition } from "./servedPosition.js";
import { keyOfState } from "./stateCollection.js";
import { TermStatisticsByPopulation, type TermStatistics } from "./termStatistics.js";
import { soughtTitle } from "./titleWords.js";
import { VocabularyProposals } from "./vocabularyProposals.js";

/** For how many words it is remembered which others begin or end with them, and what rare ones may stand for. */
const [rememberedWords, rememberedRareWords] = [2_000, 10_000];

/** A query, and what is asked beside it. */
interface AskedQuery {
  readonly query: string;
  readonly analysed: AnalysedQuery;
  /** The reader's language; null: not known. */
  readonly readers: Language | null;
  readonly facets: FacetsAsked | undefined;
}

/** What a query found, with the weights that its words have for the person. */
export interface FoundByWords {
  readonly visibility: Visibility;
  readonly run: Run;
  readonly typed: readonly TypedWord[];
  /** What words were taken for, folded. */
  readonly corrected: readonly Correction[];
  /** The average length of the person's documents, in terms. */
  readonly averageLength: number;
}

/** What weighs words and reads rare ones, among the documents that the person can see. */
interface Weighing {
  readonly statistics: TermStatistics;
  readonly words: QueryWords;
  readonly vocabulary: VocabularyProposals;
  readonly rareWords: RareWords;
}

/** What has to be known of a query before it can be run. */
interface Learnt {
  readonly read: readonly ReadWord[];
  readonly typed: readonly TypedWord[];
  readonly demands: readonly Demand[];
}

interface Attempt extends Learnt {
  readonly visibility: Visibility;
  readonly weighing: Weighing;
  /** null: rare words have not been looked into yet. */
  readonly asRead: QueryAsRead | null;
  readonly run: Run;
  /** How many documents hold two of many words, as they were run; null: it was not asked. */
  readonly counted: EngineAnswer<unknown> | null;
  /** Whether what it rests on still serves, as far as the engine's answer tells. */
  readonly isCurrent: boolean;
}

interface Parts {
  readonly connection: TypesenseConnection;
  readonly names: CollectionNames;
  readonly directory: Directory;
  readonly served: ServedPosition;
  readonly candidates: CandidateScores;
}

const nothingLearnt: Learnt = { read: [], typed: [], demands: [] };

/** Reads the words of a query by what the person's documents hold, and runs it. */
export class QueryRuns {
  private readonly statistics: TermStatisticsByPopulation;
  private readonly proposed = new RememberedWords<readonly string[]>(rememberedWords);
  private readonly proposals = new RememberedWords<Proposal>(rememberedRareWords);
  private readonly rows = new RememberedRows();

  constructor(private readonly parts: Parts) {
    this.statistics = new TermStatisticsByPopulation(parts.connection, parts.names.documents);
  }

  /**
   * Runs the query once more where datasources, access classes, or few documents turn out to have changed since they
   * were read; `visible` is called once more then.
   */
  async find(asked: AskedQuery, visible: () => Visibility): Promise<FoundByWords> {
    const first = await this.attempt(asked, visible());
    const isStamped = first.run.state.stamp === first.visibility.stamp;
    if (isStamped && first.isCurrent) return this.settled(first, asked.analysed);
    if (!isStamped) await this.parts.directory.refresh();
    return this.settled(await this.attempt(asked, visible()), asked.analysed);
  }

  private async attempt({ query, analysed, readers, facets }: AskedQuery, visibility: Visibility): Promise<Attempt> {
    const { filter } = visibility;
    const weighing = this.weighingBy(visibility);
    const { statistics } = weighing;
    const isRemembered = statistics.isLearnt;
    // Where nothing may be shown, there may be something to be counted outside of the filters.
    const isAsked = filter !== null || facets?.fields.some((field) => visibility.countedBy(field) !== null) === true;
    const learnt = isAsked ? await this.learn(analysed, weighing) : nothingLearnt;
    const rare = countsTell(analysed, visibility, statistics) ? rareByCount(learnt.read, statistics) : null;
    const asRead =
      rare === null || filter === null ? null : await readingsOf({ rare, learnt, weighing, analysed, visibility });
    const weight = learnt.typed.reduce((sum, typed) => sum + typed.weight, 0);
    const { asked } = asRead ?? asTyped(learnt.read);
    const words = asked.map(({ word }) => word);
    const plan = { words, demands: learnt.demands, readers, title: soughtTitle(query, weight), filter };
    const [run, counted] = await Promise.all([
      this.run(plan, weighing),
      isNarrowed(analysed) ? null : this.countMatches(plan, asked, weighing),
    ]);
    const isCurrent = !isRemembered || statistics.servesAt(keyOfState(run.state));
    return { ...learnt, visibility, weighing, asRead, run, counted, isCurrent };
  }

  private weighingBy({ population }: Visibility): Weighing {
    const { connection, names, served } = this.parts;
    const statistics = this.statistics.of(population, served.seen);
    const words = new QueryWords(statistics);
    const vocabulary = new VocabularyProposals(statistics, names.words, this.proposed);
    const rareWords = new RareWords({ connection, names, statistics, words, proposals: this.proposals });
    return { statistics, words, vocabulary, rareWords };
  }

  /** How rare the words of a query are, how the last one goes on, and whether its phrases exist. */
  private async learn(analysed: AnalysedQuery, { statistics, words, vocabulary }: Weighing): Promise<Learnt> {
    const proposals = vocabulary.searchesFor(analysed);
    const pending = vocabulary.pending(proposals);
    const demands = demandsOf(analysed);
    const checks = demands.map((demand) => demandChecks(this.parts.names.documents, demand));
    const searches = [...pending.searches, ...checks.flat()];
    const answers = await statistics.learn(words.termsToLearn(analysed), searches);
    const open = await vocabulary.openProposals(proposals, pending.found(answers));
    let from = pending.searches.length;
    const possible = demands.filter((_demand, index) => {
      const to = from + (checks[index]?.length ?? 0);
      const isPossible = canBeMet(answers.slice(from, to));
      from = to;
      return isPossible;
    });
    return { read: words.read(analysed, open), typed: words.weigh(analysed.words), demands: possible };
  }

  private async run(plan: Plan, { statistics }: Weighing): Promise<Run> {
    const { served, names, candidates } = this.parts;
    const { answers, state } = await firstRows(plan, {
      ...{ remembered: this.rows, served, collection: names.documents, statistics },
    });
    const best = await candidates.score(
      answers.flatMap(({ hits }) => hits.map(({ document }) => document)),
      plan.words,
      { averageLength: statistics.usualLength, readers: plan.readers, title: plan.title },
    );
    return {
      plan,
      best,
      found: answers.map(({ found }) => found),
      isPartial: answers.some((answer) => answer.search_cutoff === true),
      state,
    };
  }

  /** In a request of its own: the engine runs the searches of one request one after the other. */
  private async countMatches(
    plan: Plan,
    asked: readonly AskedWord[],
    { statistics }: Weighing,
  ): Promise<EngineAnswer<unknown> | null> {
    const { connection, names } = this.parts;
    const search = isFew(plan, statistics) ? null : matchCount(names.documents, plan, asked);
    if (search === null) return null;
    const [answer] = await connection.search<unknown>([search]);
    return answer ?? null;
  }

  /**
   * Where words turn out to be rare among what the person can see, runs the query again with what they may have meant;
   * and without documents that hold one common word of many.
   */
  private async settled(
    { visibility, run, typed, weighing, ...attempt }: Attempt,
    analysed: AnalysedQuery,
  ): Promise<FoundByWords> {
    const { statistics } = weighing;
    const { filter } = visibility;
    const found = { visibility, typed, averageLength: statistics.usualLength };
    if (filter === null) return { ...found, run, corrected: [] };
    let asRead = attempt.asRead;
    let read = run;
    if (asRead === null) {
      const rare = await rareAmong(attempt.read, run, statistics, visibility);
      asRead = await readingsOf({ rare, learnt: attempt, weighing, analysed, visibility });
      if (asRead.isReadAnew)
        read = await this.run({ ...run.plan, words: asRead.asked.map(({ word }) => word) }, weighing);
    }
    const { asked, corrected } = asRead;
    const matching = isNarrowed(analysed) ? null : matchingIn(read, asked, statistics);
    if (matching === null) return { ...found, run: read, corrected };
    const counted = read === run ? attempt.counted : null;
    const final = withoutWeak(read, matching, counted) ?? this.run({ ...read.plan, match: matching.filter }, weighing);
    return { ...found, run: await final, corrected };
  }
}

const isNarrowed = ({ phrases, excluded }: AnalysedQuery): boolean => phrases.length + excluded.length > 0;

interface Rare {
  readonly rare: readonly RareWord[];
  readonly learnt: Pick<Learnt, "read">;
  readonly weighing: Weighing;
  readonly analysed: AnalysedQuery;
  readonly visibility: Visibility;
}

async function readingsOf({ rare, learnt: { read }, weighing, analysed, visibility }: Rare): Promise<QueryAsRead> {
  return rare.length === 0
    ? asTyped(read)
    : readAs(read, rare, await weighing.rareWords.readingsOf(rare, analysed, visibility));
}

/**
 * Whether the words' counts are those of the documents that can be found: of all that are open, and as they are now.
 */
const countsTell = (
  analysed: AnalysedQuery,
  { filter, population }: Visibility,
  { mayBeBehind }: TermStatistics,
): boolean => !mayBeBehind && filter === population.filter && !isNarrowed(analysed);
