/*
 * What both engines hold to when they rank, so that they answer alike: docs/adr/0003-ranking.md says why, and
 * docs/benchmarks.md, "Relevance", what each was measured to bring.
 */

/** What an occurrence in the title counts, compared with one in the text (more made results worse). */
export const titleWeight = 2;

/** BM25's b. Where documents differ much in length, 0.5 finds more than the usual 0.75. */
export const lengthNormalisation = 0.5;

/** How many of the first documents are reordered by nearness, whichever page is asked for. */
export const reordered = 20;

const countedHits = 10_000;

/** What a page says of the number of hits: exact up to 10,000. */
export const totalOf = (found: number): { readonly total: number; readonly totalRelation: "eq" | "gte" } => ({
  total: Math.min(found, countedHits),
  totalRelation: found > countedHits ? "gte" : "eq",
});
