import { analyseQuery, type AnalysedQuery } from "../../../analysis/analyseQuery.js";
import type { QueryPhrase } from "../../../analysis/queryPhrases.js";
import type { Language } from "../../../shared/texts.js";
import { reorderByNearness } from "../../../analysis/nearness.js";
import { reordered, settledAtOnce, totalOf } from "../../../analysis/rankingRules.js";
import {
  noFacets,
  type SearchFacets,
  everything,
  type SearchOrder,
  type SearchPage,
  type Suggestion,
} from "../../../readModels/search.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import { AccessClasses } from "./accessClasses.js";
import { Candidates, presented, type RankedDocument } from "./candidates.js";
import { Collection } from "./collection.js";
import { FacetCounts } from "./facetCounts.js";
import { HeldWords } from "./heldWords.js";
import { HitExplanations } from "./hitExplanations.js";
import { LongDocuments, passageQuestion, type SettledDocuments } from "./longDocuments.js";
import { Phrases } from "./phrases.js";
import { preferLanguage } from "./columnNumbers.js";
import { PostingsCache, type PostingsOptions } from "./postings.js";
import { NamedDocumentSlots, type DocumentsOfDatasource, slotsThat } from "./slotSet.js";
import { hasUncountedHits, QueryScores } from "./queryScores.js";
import { readQuery } from "../../../search/readQuery.js";
import { VisibleWords, type SqliteQuery } from "./visibleWords.js";
import { SearchBudget, type SearchBudgetOptions } from "./searchBudget.js";
import type { FullTextQuestion, RankingQuestion, SuggestQuestion } from "./searchThreadMessages.js";
import { Suggestions } from "./suggestions.js";
import { matchTest } from "./weakMatches.js";
import { TitleMatches, type MatchingTitles } from "./titleMatches.js";
import { topRanked } from "./topRanked.js";
import { FoundByMeaning } from "./vectors/foundByMeaning.js";
import { Vectors } from "./vectors/vectors.js";
import { VisibilityRules, type Opened, type Visibility } from "./visibility.js";
import { VocabularyLookup } from "./vocabularyLookup.js";

interface RankedQuery extends Pick<SqliteQuery, "typed"> {
  readonly readers: Language | null;
  readonly phrases: readonly QueryPhrase[];
  readonly settled: SettledDocuments;
  readonly near: FoundByMeaning;
  readonly sort: SearchOrder;
}

/** A question, and what is known before documents are scored. */
interface ReadQuestion {
  readonly question: RankingQuestion;
  readonly analysed: AnalysedQuery;
  readonly budget: SearchBudget;
  readonly visibility: Visibility;
  readonly runnable: SqliteQuery;
  /** Titles that begin with the query. */
  readonly titles: readonly MatchingTitles[];
  /** The reader's language; null: not known. */
  readonly readers: Language | null;
}

interface FoundDocuments {
  /** Their slots: all, or those that can come first. */
  readonly found: Int32Array;
  /** How many there are; infinite where they are more than are counted. */
  readonly total: number;
  readonly near: FoundByMeaning;
  readonly counted: SearchFacets | undefined;
}

/** What suggestions may take of the time that a search may take: people type on. */
const suggestingShare = 0.1;

/** So often a search has its budget where nothing was found because there was no time to read: two seconds. */
const mostTries = 20;

const nothing: SearchPage = { hits: [], total: 0, totalRelation: "eq" };

/**
 * Ranks documents by BM25 over all words of the query. Postings are combined in memory. Visibility is applied to each
 * document before it is counted, ranked or read. Words weigh what they weigh among the person's documents. So nothing
 * of any other document is in the answer.
 */
export class FullTextSearch {
  readonly classes: AccessClasses;
  private readonly collection: Collection;
  private readonly rules: VisibilityRules;
  private readonly named: NamedDocumentSlots;
  private readonly postings: PostingsCache;
  private readonly vocabulary: VocabularyLookup;
  private readonly candidates: Candidates;
  private readonly titleMatches: TitleMatches;
  private readonly longDocuments: LongDocuments;
  private readonly scoring: QueryScores;
  private readonly facetCounts: FacetCounts;
  private readonly suggestions: Suggestions;
  private readonly vectors: Vectors;
  private readonly explanations: HitExplanations;
  private readonly snapshot;

  constructor(
    database: SqliteDatabase,
    private readonly options: PostingsOptions & SearchBudgetOptions,
  ) {
    this.classes = new AccessClasses(database);
    this.collection = new Collection(database);
    this.rules = new VisibilityRules(database, this.collection);
    this.postings = new PostingsCache(database, this.collection, options);
    this.facetCounts = new FacetCounts(database, this.collection);
    this.scoring = new QueryScores(this.collection, new Phrases(this.postings, this.collection));
    const held = new HeldWords(database, this.collection, this.postings);
    this.vocabulary = new VocabularyLookup(database, held);
    this.suggestions = new Suggestions(database, this.collection, this.vocabulary, held);
    this.candidates = new Candidates(database);
    this.titleMatches = new TitleMatches(database, this.collection);
    this.longDocuments = new LongDocuments(database, this.collection);
    this.named = new NamedDocumentSlots(database, this.collection);
    this.vectors = new Vectors(database, this.collection);
    this.explanations = new HitExplanations(database, this.collection);
    this.snapshot = database.transaction((read: () => unknown) => read());
  }

  /** Searches what the person may see. One snapshot of the file answers the whole question. */
  search({ heldKey, ...question }: FullTextQuestion): SearchPage {
    return this.inSnapshot(() => this.answer(question, () => this.openedTo(heldKey)));
  }

  /**
   * Completes what is being typed from what the person may see. One snapshot of the file answers the whole question.
   */
  suggest({ heldKey, query, count }: SuggestQuestion): readonly Suggestion[] {
    return this.inSnapshot(() => {
      this.refresh();
      const budgetMs = this.options.budgetMs * suggestingShare;
      this.postings.refresh(new SearchBudget({ ...this.options, budgetMs }, 0));
      return this.suggestions.of(query, count, this.rules.of(this.openedTo(heldKey), everything));
    });
  }

  /** Searches named documents. One snapshot of the file answers the whole question. */
  searchAmong(among: readonly DocumentsOfDatasource[], question: RankingQuestion): SearchPage {
    return this.inSnapshot(() => this.answer(question, () => ({ by: "document", open: this.named.slotsOf(among) })));
  }

  /** Reads some of the vectors that are not in memory yet, and tells whether there may be more. */
  readVectors(): boolean {
    return this.inSnapshot(() => {
      this.refresh();
      return this.vectors.readSome();
    });
  }

  private inSnapshot<Answer>(read: () => Answer): Answer {
    return this.snapshot.deferred(read) as Answer;
  }

  /** Call it once {@link classes} are refreshed. */
  private openedTo(key: string): Opened {
    return { by: "class", key, open: this.classes.allowedTo(key) };
  }

  /** What it takes is nobody's budget: after a start it is everything. */
  private refresh(): void {
    this.classes.refresh();
    this.collection.refresh();
  }

  /** Each try goes on where the last one ended, until there is a hit: how fast the machine is decides nothing else. */
  private answer(question: RankingQuestion, opened: () => Opened): SearchPage {
    this.refresh();
    const analysed = analyseQuery(question.query);
    const { facets } = question;
    if (analysed.words.length === 0) return { ...nothing, ...(facets && { facets: noFacets(facets) }) };
    let page = this.tryToAnswer(question, analysed, opened);
    for (let tries = 1; page.isUnread === true && tries < mostTries; tries += 1)
      page = this.tryToAnswer(question, analysed, opened);
    return page;
  }

  private tryToAnswer(question: RankingQuestion, analysed: AnalysedQuery, opened: () => Opened): SearchPage {
    const { explain, passages, count, startPage, sort = "relevance" } = question;
    const read = this.read(question, analysed, opened);
    const { runnable, readers, visibility, budget } = read;
    const { found, total, near, counted } = this.find(read);
    const { phrases } = analysed;
    const { scoring } = this;
    const { together } = scoring;
    const settled = this.longDocuments.begin({
      ...passageQuestion(runnable, phrases, visibility),
      ...{ together, readers },
      ...(explain && { explain }),
    });
    const asked = { typed: runnable.typed, readers, phrases, settled, near, sort };
    const ranked = this.ranked(found, asked, startPage * count, count);
    const explanationOf =
      explain &&
      this.explanations.of({ ...asked, query: runnable, weighing: scoring.weighingBy(visibility), together });
    return {
      ...presented(ranked, runnable, { phrases, passages, explanationOf }),
      ...totalOf(total),
      ...(budget.isPartial && { totalRelation: "gte", partial: true }),
      ...(total === 0 && budget.isCutShort && { isUnread: true }),
      ...(counted && { facets: counted }),
    };
  }

  private read(question: RankingQuestion, analysed: AnalysedQuery, opened: () => Opened): ReadQuestion {
    const { phrases, compounds, excluded } = analysed;
    const { query, language, filters } = question;
    const budget = new SearchBudget(this.options, phrases.length + compounds.length + excluded.length);
    this.postings.refresh(budget);
    const visibility = this.rules.of(opened(), filters);
    const runnable = readQuery(analysed, new VisibleWords(this.postings, this.vocabulary, visibility));
    const titles = this.titleMatches.of({ query, weight: weightOf(runnable), visibility, budget });
    return { question, analysed, budget, visibility, runnable, titles, readers: language ?? analysed.askedIn };
  }

  /** Scores documents, and finds those that match and may be shown: all, or those that can come first. */
  private find(read: ReadQuestion): FoundDocuments {
    const { question, analysed, runnable, visibility, budget, titles, readers } = read;
    const { scores } = this.scoring;
    const first = areFirstEnough(read) ? this.scoring.scoreFirst(runnable.words, visibility, read) : null;
    const required = first === null ? this.scoring.score(analysed, runnable.words, visibility, budget) : null;
    const near = FoundByMeaning.in(this.vectors, { meaning: question.meaning, visibility, required }, scores);
    const matching = first ?? scores.found();
    const visible = visibility.shown(matching);
    const isWanted =
      required ??
      near.orElse(
        matchTest(scores, runnable.words, {
          visible,
          documents: visibility.all.documents,
          titleOf: (slot) => this.titleMatches.titleAt(slot),
        }),
      );
    const found = isWanted === null ? visible : slotsThat(isWanted, visible);
    const { facets } = question;
    const counted = facets && this.facetCounts.of(facets, { matching, shown: found, isWanted, visibility, budget });
    this.scoring.addTitles(titles, visibility);
    preferLanguage(readers, { found, languages: this.collection.columns.languages, scores: scores.bySlot });
    return { found, total: first === null ? found.length : Infinity, near, counted };
  }

  /** One page of the ranking. All pages follow one order, since the part that is ordered anew is always the same. */
  private ranked(found: Int32Array, asked: RankedQuery, offset: number, count: number): readonly RankedDocument[] {
    if (offset >= found.length) return [];
    if (asked.sort === "last_modified") {
      const newest = topRanked(found, offset + count, this.collection.columns.modified);
      return this.readAll(newest.subarray(offset), asked);
    }
    const { near, settled } = asked;
    const ranked = settled.rank(found, Math.max(near.wanted(offset + count), reordered), this.scoring.scores.bySlot);
    if (!near.isNothing)
      return this.rankedByBoth(near.byWords(ranked), asked)
        .slice(offset, offset + count)
        .map((document) => document());
    if (offset >= reordered) return this.readAll(ranked.subarray(offset, offset + count), asked);
    return [
      ...this.nearestWordsFirst(ranked, asked).slice(offset, offset + count),
      ...this.readAll(ranked.subarray(Math.max(offset, reordered), offset + count), asked),
    ];
  }

  /** The first of the ranking by words and by meaning; those that are not read yet are when they are called. */
  private rankedByBoth(byWords: Int32Array, asked: RankedQuery): readonly (() => RankedDocument)[] {
    const first = this.nearestWordsFirst(byWords, asked);
    const known = new Map(first.map((document) => [document.slot, document]));
    const order = asked.near.order([...known.keys(), ...byWords.subarray(first.length)]);
    return order.map((slot) => () => known.get(slot) ?? this.readOne(slot, asked));
  }

  private nearestWordsFirst(ranked: Int32Array, asked: RankedQuery): readonly RankedDocument[] {
    return reorderByNearness(this.readAll(ranked.subarray(0, reordered), asked), asked, (a, b) => b.slot - a.slot);
  }

  private readAll(slots: Int32Array, asked: RankedQuery): readonly RankedDocument[] {
    return Array.from(slots, (slot) => this.readOne(slot, asked));
  }

  private readOne(slot: number, { phrases, settled, near }: RankedQuery): RankedDocument {
    const row = this.collection.columns.rows[slot] as number;
    const passage = near.passageOf(slot);
    if (passage !== null) return this.candidates.read({ row, slot, score: 0, passages: [passage] }, phrases);
    const score = this.scoring.scores.bySlot[slot] as number;
    const passages = settled.passagesOf(slot)?.places ?? [];
    return this.candidates.read({ row, slot, score, passages }, phrases);
  }
}

/** Whether all that is asked for is the first hits by words, of more than are counted. */
function areFirstEnough({ question, analysed, runnable, visibility }: ReadQuestion): boolean {
  const { facets, meaning, sort = "relevance", startPage, count } = question;
  if (facets !== undefined || meaning !== undefined || sort !== "relevance") return false;
  return (startPage + 1) * count <= settledAtOnce && hasUncountedHits(analysed, runnable.words, visibility);
}

const weightOf = ({ typed }: SqliteQuery): number => typed.reduce((sum, { weight }) => sum + weight, 0);
