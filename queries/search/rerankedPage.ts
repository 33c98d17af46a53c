import { plainSnippet } from "../../src/readModels/plainSnippet.js";
import type { SearchHit, SearchPage } from "../../src/readModels/search.js";
import type { Reranker, SearchRequest } from "../ports.js";

/** So many of the first hits are ordered anew. */
const reordered = 50;

/**
 * The page that is asked for, of a ranking whose first 50 hits are in the order of the reranker, and the further ones in
 * the index's. These are the same 50 for every page. Where there is no order to be had, that of the index holds.
 */
export async function rerankedPage(
  search: (request: SearchRequest) => Promise<SearchPage>,
  request: SearchRequest,
  reranker: Reranker,
): Promise<SearchPage> {
  const { query, count, startPage } = request;
  const offset = count * startPage;
  if (offset >= reordered) return search(request);
  const whole = { ...request, count: Math.max(reordered, offset + count), startPage: 0, passages: true } as const;
  const page = await search(whole);
  const hits = page.hits.map(withoutPassage);
  const first = hits.slice(0, reordered);
  const order = first.length < 2 ? null : await reranker.order(query, page.hits.slice(0, reordered).map(textOf));
  const ranked =
    order === null ? hits : [...order.flatMap((at, place) => placedAt(place, at, first[at])), ...hits.slice(reordered)];
  return { ...page, hits: ranked.slice(offset, offset + count) };
}

/** A hit where the reranker has put it; it says so where it says why it is there. */
function placedAt(place: number, before: number, hit: SearchHit | undefined): readonly SearchHit[] {
  if (hit?.explanation === undefined) return hit === undefined ? [] : [hit];
  return [{ ...hit, explanation: { ...hit.explanation, reranked: { before: before + 1, after: place + 1 } } }];
}

/** What says most of a hit, as far as a reranker reads. */
const textOf = ({ title, snippet, passage }: SearchHit): string => `${title}\n${passage ?? plainSnippet(snippet)}`;

const withoutPassage = ({ passage: _passage, ...hit }: SearchHit): SearchHit => hit;
