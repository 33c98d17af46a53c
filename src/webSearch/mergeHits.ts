import { isOnSites, pageAddress, sameness } from "./addresses.js";
import type { WebHit } from "./ports.js";

/** A hit, with the query that found it first. */
export interface FoundHit extends WebHit {
  readonly query: string;
}

export interface HitsOfQuery {
  readonly query: string;
  readonly hits: readonly WebHit[];
}

/**
 * Hits of several queries in turns, the best of each first, each page once, on these sites alone, at most so many.
 * Addresses lose what tracks.
 */
export function mergeHits(
  lists: readonly HitsOfQuery[],
  { sites, count }: { readonly sites: readonly string[] | null; readonly count: number },
): readonly FoundHit[] {
  const merged = new Map<string, FoundHit>();
  const waiting = lists.map(({ query, hits }) => ({ query, hits: hits.values() }));
  for (let isOver = false; !isOver && merged.size < count;) {
    isOver = true;
    for (const { query, hits } of waiting) {
      const found = merged.size < count ? nextNew(hits, merged, sites) : undefined;
      if (found === undefined) continue;
      isOver = false;
      merged.set(found.key, { ...found.hit, query });
    }
  }
  return [...merged.values()];
}

/** A query's turn takes what no other has brought, so that doubles cost it nothing. */
function nextNew(
  hits: IterableIterator<WebHit>,
  taken: ReadonlyMap<string, unknown>,
  sites: readonly string[] | null,
): { readonly key: string; readonly hit: WebHit } | undefined {
  // `for` would close the iterator at the first return.
  for (let next = hits.next(); next.done !== true; next = hits.next()) {
    const address = pageAddress(next.value.url);
    if (address === null || !isOnSites(address, sites)) continue;
    const key = sameness(address);
    if (!taken.has(key)) return { key, hit: { ...next.value, url: address.href } };
  }
  return undefined;
}
