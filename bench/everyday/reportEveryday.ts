import Table from "cli-table3";
import type { EverydayQuery } from "./everydayCollection.js";
import type { EverydayVerdict } from "./everydayScores.js";
import type { MeasuredQuery } from "./measureEveryday.js";

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
