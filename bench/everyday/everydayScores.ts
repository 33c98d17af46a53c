import type { EverydayQuery } from "./everydayCollection.js";

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
