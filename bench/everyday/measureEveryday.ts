import Table from "cli-table3";
import type { RelevanceService } from "../relevanceService.js";
import {
  everydayLanguages,
  type EverydayCollection,
  type EverydayDocument,
  type EverydayLanguage,
  type EverydayQuery,
} from "./everydayCollection.js";

export interface MeasuredQuery {
  readonly query: EverydayQuery;
  /** Asked of the datasource of the query's language alone. */
  readonly filtered: EverydayVerdict;
  /** Asked of all that the person may see: both languages. */
  readonly unfiltered: EverydayVerdict;
}

const pageLength = 100;
const datasourceOf = (language: EverydayLanguage): string => `everyday_${language}`;

/** Pushes the collection into an empty service, a datasource for each language, and asks every query twice. */
export async function measureEveryday(
  service: RelevanceService,
  { documents, queries }: EverydayCollection,
): Promise<readonly MeasuredQuery[]> {
  for (const language of everydayLanguages) {
    const ofLanguage = documents.filter((document) => document.language === language);
    await service.push({ name: datasourceOf(language), displayName: `Everyday (${language})` }, ofLanguage.map(pushed));
  }
  const measured: MeasuredQuery[] = [];
  for (const query of queries)
    measured.push({
      query,
      filtered: judge(query, await resultsOf(service, query, datasourceOf(query.language))),
      unfiltered: judge(query, await resultsOf(service, query)),
    });
  return measured;
}

const pushed = ({ id, title, text, author, lastModified, fileType, path, isFile }: EverydayDocument) => ({
  id,
  title,
  body: { mime_type: "text/plain", text_content: text },
  file_type: fileType,
  author,
  last_modified: `${lastModified}T09:00:00Z`,
  path,
  path_preview: isFile ? new URL(path, "https://files.quellmoor.example/").href : undefined,
});

/** One page tells every rank that matters; what must not be found is looked for on all of them. */
async function resultsOf(
  service: RelevanceService,
  { text, mustNotFind }: EverydayQuery,
  datasource?: string,
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let page = 0; ; page++) {
    const found = await service.search({ query: text, datasource, count: pageLength, page });
    ids.push(...found.map((id) => id.slice(id.indexOf("__") + 2)));
    if (mustNotFind.length === 0 || found.length < pageLength) return ids;
  }
}

/** What became of one query. */
export interface EverydayVerdict {
  /** Whether all that is expected of the query is so. */
  readonly reached: boolean;
  /**
   * Where the first of equally right documents stands, or the last of those that must all be there, from 1. null: not
   * among the results, or nothing was to be found.
   */
  readonly rank: number | null;
  /** Documents that must not have been found, best first. */
  readonly unwanted: readonly string[];
}

/** Holds a query's results (document ids, best first, as many as there are) against what is expected of it. */
export function judge({ expected, mustNotFind }: EverydayQuery, results: readonly string[]): EverydayVerdict {
  const banned = new Set(mustNotFind);
  if (expected.is === "nothing") return { reached: results.length === 0, rank: null, unwanted: results };
  const unwanted = results.filter((id) => banned.has(id));
  const places = expected.documents.map((id) => results.indexOf(id) + 1 || Infinity);
  const place = expected.is === "one" ? Math.min(...places) : Math.max(...places);
  return {
    reached: place <= expected.rank && unwanted.length === 0,
    rank: place === Infinity ? null : place,
    unwanted,
  };
}

interface Reached {
  readonly queries: number;
  readonly filtered: number;
  readonly unfiltered: number;
}

/** A table: of each kind, and of each language, how many queries reach what is expected of them. */
export function everydayTable(measured: readonly MeasuredQuery[]): string {
  const table = new Table({
    head: ["kind", "queries", "filtered", "unfiltered"],
    style: { head: [], border: [] },
  });
  const groups = [
    ...reachedBy(measured, ({ kind }) => kind),
    ...reachedBy(measured, ({ language }) => `all ${language}`),
  ];
  for (const [group, { queries, filtered, unfiltered }] of [...groups, ...reachedBy(measured, () => "all")])
    table.push([group, queries, filtered, unfiltered]);
  return table.toString();
}

/** A line for each query and way of asking that misses what is expected. */
export function everydayFailures(measured: readonly MeasuredQuery[]): string {
  return measured
    .flatMap(({ query, filtered, unfiltered }) => [
      ...failure(query, "filtered", filtered),
      ...failure(query, "unfiltered", unfiltered),
    ])
    .join("\n");
}

/** The same for programs, with every query and its rank. */
export function everydayFigures(measured: readonly MeasuredQuery[]): unknown {
  return {
    kinds: Object.fromEntries(reachedBy(measured, ({ kind }) => kind)),
    all: Object.fromEntries(reachedBy(measured, ({ language }) => language)),
    queries: measured.map(({ query: { language, kind, text, expected, mustNotFind }, filtered, unfiltered }) => ({
      language,
      kind,
      query: text,
      expected,
      mustNotFind,
      filtered,
      unfiltered,
    })),
  };
}

function reachedBy(
  measured: readonly MeasuredQuery[],
  groupOf: (query: EverydayQuery) => string,
): ReadonlyMap<string, Reached> {
  const groups = new Map<string, Reached>();
  for (const { query, filtered, unfiltered } of measured) {
    const group = groupOf(query);
    const before = groups.get(group) ?? { queries: 0, filtered: 0, unfiltered: 0 };
    groups.set(group, {
      queries: before.queries + 1,
      filtered: before.filtered + Number(filtered.reached),
      unfiltered: before.unfiltered + Number(unfiltered.reached),
    });
  }
  return groups;
}

function failure(query: EverydayQuery, asked: string, verdict: EverydayVerdict): readonly string[] {
  if (verdict.reached) return [];
  return [`${query.language} ${query.kind}, ${asked}: ${query.text} → ${missed(query, verdict).join("; ")}`];
}

function missed({ expected }: EverydayQuery, { rank, unwanted }: EverydayVerdict): readonly string[] {
  const found = unwanted.length === 0 ? [] : [`found ${some(unwanted)}`];
  if (expected.is === "nothing" || (rank !== null && rank <= expected.rank)) return found;
  const wanted = expected.documents.join(expected.is === "one" ? " or " : " and ");
  return [`${wanted} ${rank === null ? "not found" : `at ${rank}`}, must be at ${expected.rank}`, ...found];
}

const some = (ids: readonly string[]): string =>
  ids.slice(0, 5).join(", ") + (ids.length > 5 ? ` and ${ids.length - 5} more` : "");
