import { reorderByNearness, type TextRange } from "../../../analysis/nearness.js";
import type { QueryPhrase } from "../../../analysis/queryPhrases.js";
import { reordered, totalOf } from "../../../analysis/rankingRules.js";
import { searchedNamesOf } from "../../../analysis/searchedTexts.js";
import { showsPhraseOf, type PassageSource, type SoughtWord } from "../../../analysis/snippet.js";
import { correctionsAsWritten } from "../../../analysis/writtenForms.js";
import type { Correction, SearchHit, SearchOrder, SearchPage } from "../../../readModels/search.js";
import { partsWith, withinParts } from "../../../shared/textParts.js";
import { excerptsAbout } from "../excerpts.js";
import type { Visibility } from "./accessFilter.js";
import {
  candidateFields,
  type Candidate,
  type CandidateScores,
  type FoundRow,
  type Ranked,
  type Shown,
} from "./candidates.js";
import type { TypesenseConnection } from "./connection.js";
import { toHitSummary, type Directory } from "./directory.js";
import { passageQuestion, SettledDocuments } from "./longDocuments.js";
import { matchingSearch, rankingSearch, type EngineWord, type Plan } from "./matching.js";
import type { CheckpointState, StoredHitSummary, CollectionNames } from "./schema.js";
import { partId, StoredTexts } from "./storedTexts.js";
import type { FoundByMeaning } from "./vectors/foundByMeaning.js";
import { hitExplanations } from "./hitExplanations.js";

/** So many documents that the engine puts first are scored here; those after them keep its order. */
export const mostScored = 100;
/** The highest score of a document that was not scored: less than any word adds. */
const leastScore = 1e-6;
/** The engine gives no more rows at once. */
const rowsPerSearch = 250;
const newestFirst = "modified(missing_values: last):desc,position:desc";

/** What one run of a plan found: its best documents, scored, in no order, and how many there are. */
export interface Run {
  readonly plan: Plan;
  readonly best: readonly Candidate[];
  readonly found: number;
  /** The engine ran out of time, or not all documents were looked into. */
  readonly isPartial: boolean;
  /** The state under which it was found. */
  readonly state: CheckpointState;
  /** Whether the engine's answer brought words that were unknown when the query was read. */
  readonly hasNews: boolean;
}

/** Which page of what a run found is asked for, and what it is put in order by. */
interface PageQuestion {
  readonly count: number;
  readonly startPage: number;
  readonly sort: SearchOrder;
  readonly phrases: readonly QueryPhrase[];
  /** The average length of the person's documents, in terms. */
  readonly averageLength: number;
  readonly visibility: Visibility;
  /** The corrections of words, in folded letters. */
  readonly corrected: readonly Correction[];
  /** The documents found by meaning; none where the order is by date. */
  readonly near: FoundByMeaning;
  /** Left out: hits do not say why they are where they are. */
  readonly explain: true | undefined;
  /** Left out: hits come without their passages. */
  readonly passages: true | undefined;
}

interface OrderByWords {
  /** The whole order from its first document on, before the first hits are reordered. */
  readonly ranked: readonly Ranked[];
  /** The part of the page that comes after the ranked ones. */
  readonly further: readonly Ranked[];
  readonly offset: number;
  readonly plan: Plan;
}

/** Puts what a run found in order, page by page, and shows it. */
export class ResultPages {
  private readonly texts: StoredTexts;

  constructor(
    private readonly connection: TypesenseConnection,
    private readonly names: CollectionNames,
    private readonly directory: Directory,
    private readonly candidates: CandidateScores,
  ) {
    this.texts = new StoredTexts(connection, names.texts);
  }

  async page(found: Run, question: PageQuestion): Promise<SearchPage> {
    const { count, startPage, phrases, averageLength, corrected, near, explain, passages } = question;
    const total = found.found + near.added;
    const offset = startPage * count;
    const seen = seenWays(found.plan.words, found.best);
    const settled = new SettledDocuments(passageQuestion(seen, phrases, averageLength, explain), this.texts);
    const shown = new ShownPage(this.texts, settled, question);
    const onPage = offset >= total ? [] : await this.onPage(found, offset, shown, question);
    const explanationOf = explain && hitExplanations({ plan: found.plan, seen, averageLength, near }, this.directory);
    const excerptsOf = excerptsAbout(soughtIn(seen), phrases, passages);
    return {
      hits: onPage.map((one): SearchHit => ({
        ...toHitSummary(one.card, this.directory, one.row.ds),
        ...excerptsOf(one),
        score: one.score,
        ...(explanationOf && { explanation: explanationOf(one) }),
      })),
      ...(corrected.length > 0 && { corrected: correctionsAsWritten(corrected, onPage) }),
      ...totalOf(total),
      ...(found.isPartial && { totalRelation: "gte", partial: true }),
      ...(found.isPartial && total === 0 && { isUnread: true }),
    };
  }

  private async onPage(
    found: Run,
    offset: number,
    shown: ShownPage,
    question: PageQuestion,
  ): Promise<readonly Shown[]> {
    const { count, near } = question;
    if (question.sort === "last_modified") return shown.read(await this.newest(found, offset, question));
    const ranked = await shown.settled.rank(near.besides(found.best));
    const begin = near.beginning(ranked);
    const further = await this.further(found, begin, offset, question);
    if (!near.isNothing) return this.byBoth({ ranked, further, offset, plan: found.plan }, shown, question);
    const page = [...ranked.slice(offset, offset + count), ...further];
    if (page.length === 0 || offset >= reordered) return shown.read(page);
    const first = ranked.slice(0, reordered);
    const read = await shown.read([...first, ...page.slice(Math.max(0, reordered - offset))]);
    const firstIds = new Set(first.map(({ id }) => id));
    const nearest = nearestWordsFirst(
      read.filter(({ id }) => firstIds.has(id)),
      found.plan,
    );
    return [...nearest.slice(offset, offset + count), ...read.filter(({ id }) => !firstIds.has(id))];
  }

  /** The order by words, its first hits reordered, and that by meaning in one. */
  private async byBoth(
    { ranked, further, offset, plan }: OrderByWords,
    shown: ShownPage,
    { count, near }: PageQuestion,
  ): Promise<readonly Shown[]> {
    const first = nearestWordsFirst(await shown.read(ranked.slice(0, reordered)), plan);
    const known = new Map(first.map((one) => [one.id, one]));
    const byWords = new Map(ranked.map((one) => [one.id, one]));
    const order = near.order([...known.keys(), ...ranked.slice(reordered).map(({ id }) => id)]);
    const page = order.slice(offset, offset + count).flatMap((id) => byWords.get(id) ?? near.rankedOf(id) ?? []);
    const others = await shown.read([...page.filter(({ id }) => !known.has(id)), ...further]);
    const all = new Map([...known, ...others.map((one) => [one.id, one] as const)]);
    return [...page, ...further].flatMap(({ id }) => all.get(id) ?? []);
  }

  /**
   * The documents of a page that keep the engine's place, because they were neither scored nor found by meaning.
   * `begin` is the place in the whole order where these start.
   */
  private async further(
    { plan, best, found }: Run,
    begin: number,
    offset: number,
    { near, count }: PageQuestion,
  ): Promise<readonly Ranked[]> {
    const known = new Set(best.map(({ id }) => id));
    // What is near has its place already, wherever the engine has it.
    const named = near.foundByWords();
    const before = best.length - named.filter((id) => known.has(id)).length;
    const length = Math.max(0, found - named.length - before);
    const left = count - Math.max(0, Math.min(begin, offset + count) - offset);
    const from = Math.max(0, offset + count - left - begin);
    if (left <= 0 || from >= length) return [];
    const [answer] = await this.connection.search<FoundRow>([
      {
        ...rankingSearch(this.names.documents, without(plan, named)),
        ...{ include_fields: candidateFields, offset: before + from, limit: Math.min(left, length - from) },
      },
    ]);
    return (answer?.hits ?? []).map(({ document: row }, at) => ({
      ...{ id: row.id, position: row.position, row, score: leastScore / (begin + from + at + 1) },
    }));
  }

  /** A stretch of what was found, those that were modified last first, whatever they score. */
  private async newest(
    { plan, found }: Run,
    offset: number,
    { count, averageLength }: PageQuestion,
  ): Promise<readonly Candidate[]> {
    const to = Math.min(offset + count, found);
    if (offset >= to) return [];
    const searches = Array.from({ length: Math.ceil((to - offset) / rowsPerSearch) }, (_unused, index) => {
      const from = offset + index * rowsPerSearch;
      return {
        ...matchingSearch(this.names.documents, plan),
        ...{ sort_by: newestFirst, include_fields: candidateFields },
        ...{ offset: from, limit: Math.min(rowsPerSearch, to - from) },
      };
    });
    const answers = await this.connection.search<FoundRow>(searches);
    const rows = answers.flatMap(({ hits }) => hits.map(({ document }) => document));
    return this.candidates.score(rows, plan, averageLength);
  }
}

/** Reads what is shown of documents: short texts whole, of long ones the best passage. */
class ShownPage {
  constructor(
    private readonly texts: StoredTexts,
    readonly settled: SettledDocuments,
    private readonly question: PageQuestion,
  ) {}

  /** The documents that are open to the person. */
  async read(ranked: readonly Ranked[]): Promise<readonly Shown[]> {
    const { visibility } = this.question;
    const open = ranked.filter(({ row: { cls, ds, id } }) => visibility.shows(cls, ds, id));
    const places = await this.placesIn(open);
    const parts = await this.partsWith(open, places);
    return open.map((one) => {
      const { row } = one;
      const card = JSON.parse(row.card) as StoredHitSummary;
      const text = this.best(row, places.get(row.id) ?? [], parts) ?? { text: firstTextOf(row, parts) };
      const names = searchedNamesOf(card).map((name) => name.text);
      const { title, mimeType } = card;
      return { ...one, card, title, mimeType, names, ...text, language: row.lang === "" ? null : row.lang };
    });
  }

  /** The places to show by document: the near passage where one was found by meaning, and the best of a long one. */
  private async placesIn(shown: readonly Ranked[]): Promise<ReadonlyMap<string, readonly TextRange[]>> {
    const places = new Map<string, readonly TextRange[]>();
    for (const { id, position } of shown) {
      const passage = this.question.near.passageOf(id, position);
      if (passage !== null) places.set(id, [passage]);
    }
    const long = shown.filter(({ id, row }) => row.pages > 0 && !places.has(id)).map(({ row }) => row);
    return long.length === 0 ? places : new Map([...places, ...(await this.settled.placesOf(long))]);
  }

  private partsWith(
    shown: readonly Ranked[],
    places: ReadonlyMap<string, readonly TextRange[]>,
  ): Promise<ReadonlyMap<string, string>> {
    const wanted = shown
      .filter(({ row }) => row.text === undefined)
      .map(({ id, row: document }) => ({
        document,
        numbers: [...new Set((places.get(id) ?? [firstPlace]).flatMap(partsOf))],
      }));
    return wanted.length === 0 ? Promise.resolve(new Map()) : this.texts.parts(wanted);
  }

  /** The first of several passages that shows a phrase; null where no passage could be read. */
  private best(
    row: FoundRow,
    places: readonly TextRange[],
    parts: ReadonlyMap<string, string>,
  ): Pick<PassageSource, "text" | "passage"> | null {
    const shown = places.flatMap((place) => around(row, place, parts) ?? []);
    if (shown.length < 2) return shown[0] ?? null;
    const showsPhrase = showsPhraseOf(this.question.phrases);
    const language = row.lang === "" ? null : row.lang;
    return shown.find((one) => showsPhrase({ ...one, language })) ?? shown[0] ?? null;
  }
}

const firstPlace: TextRange = { start: 0, end: 0 };

const firstTextOf = ({ id, text }: FoundRow, parts: ReadonlyMap<string, string>): string =>
  text ?? parts.get(partId(id, 0)) ?? "";

function partsOf(place: TextRange): readonly number[] {
  const { first, last } = partsWith(place);
  return Array.from({ length: last - first + 1 }, (_unused, index) => first + index);
}

/** null where a part is missing, or of another version. */
function around(
  { id, text }: FoundRow,
  place: TextRange,
  parts: ReadonlyMap<string, string>,
): Pick<PassageSource, "text" | "passage"> | null {
  if (text !== undefined) return { text, passage: place };
  const read = partsOf(place).map((part) => parts.get(partId(id, part)));
  if (read.includes(undefined)) return null;
  const joined = read.join("");
  return { text: joined, passage: withinParts(place, partsWith(place).first, joined) };
}

const without = (plan: Plan, ids: readonly string[]): Plan =>
  ids.length === 0 ? plan : { ...plan, filter: `${plan.filter} && id:!=[${ids.join(",")}]` };

const nearestWordsFirst = (
  shown: readonly Shown[],
  { typed, readers }: Pick<Plan, "typed" | "readers">,
): readonly Shown[] => reorderByNearness(shown, { typed, readers }, (a, b) => b.position - a.position);

/**
 * The words, without the ways that no candidate holds: a way that the lexicon proposes may stand in none of the
 * person's documents.
 */
function seenWays(words: readonly EngineWord[], best: readonly Candidate[]): readonly EngineWord[] {
  return words.map((word, index) => {
    const isSeen = word.alternatives.map((_way, at) => best.some(({ counts }) => (counts[index]?.[at] ?? 0) > 0));
    let at = 0;
    const expansions = word.expansions.map((expansion) => {
      const ways = expansion.ways.filter(() => isSeen[at++]);
      const isCertain = expansion.reading === "as_typed" || expansion.reading === "joined";
      return {
        ...expansion,
        ways,
        terms: isCertain ? expansion.terms : ways.flatMap((way) => way.parts?.flat() ?? way.term),
      };
    });
    return { ...word, expansions, alternatives: expansions.flatMap(({ ways }) => ways) };
  });
}

const soughtIn = (words: readonly EngineWord[]): readonly SoughtWord[] =>
  words.map(({ expansions, sought }) => ({ ...sought, terms: expansions.flatMap(({ terms }) => terms) }));
