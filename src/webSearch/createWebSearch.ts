import { hostsOf } from "./addresses.js";
import { askEach } from "./askEach.js";
import { fittingPassages } from "./fittingText.js";
import { groundedResults } from "./groundedResults.js";
import { mergeHits, type FoundHit } from "./mergeHits.js";
import { untilAborted } from "./untilAborted.js";
import type { GroundingEngine, PageReader, Summarize, WebEngine, WebHit } from "./ports.js";
import type { WebResult, WebSearch, WebSearchMode, WebSearchRequest } from "./webSearch.js";

/** What searches rest on. */
export interface WebSearchParts {
  /** Of requests that name none. */
  readonly defaultMode: WebSearchMode;
  /** @throws WebSearchUnavailable where no engine serves the mode. */
  engine(mode: Exclude<WebSearchMode, "context">): Promise<WebEngine>;
  /** The same, for `context`. */
  groundingEngine(): Promise<GroundingEngine>;
  pages(): Promise<PageReader>;
  /** For engines that write no summary. */
  readonly summarize: Summarize;
}

/** Longer nobody waits; more results nobody reads, and each is a page to fetch. */
const longestMs = 120_000;
const mostResults = 100;
/** What an engine may take of the time, where another query has hits already, before pages are read. */
const shareOfEngines = 0.5;

/** Searches of the web over an engine for each mode (ADR 39). */
export function createWebSearch(parts: WebSearchParts): WebSearch {
  return {
    search: (request) =>
      untilAborted([request.signal], async (until) => {
        const timeoutMs = Math.min(request.timeoutMs, longestMs);
        const timer = setTimeout(() => until.abort(), timeoutMs);
        const count = Math.min(request.count, mostResults);
        try {
          return await searchIn(
            request.mode ?? parts.defaultMode,
            { ...request, timeoutMs, count, signal: until.signal },
            parts,
          );
        } finally {
          clearTimeout(timer);
        }
      }),
  };
}

/** A request with the bounds of the service. */
type Bounded = WebSearchRequest & { readonly signal: AbortSignal };

function searchIn(mode: WebSearchMode, request: Bounded, parts: WebSearchParts): Promise<readonly WebResult[]> {
  switch (mode) {
    case "search":
      return withPages(request, parts);
    case "context":
      return withSummary(request, parts);
    case "thirdparty":
      return asTheEngineSays(request, parts);
  }
}

async function withPages(request: Bounded, parts: WebSearchParts): Promise<readonly WebResult[]> {
  const engine = await parts.engine("search");
  const hits = await hitsOf(engine, {
    ...request,
    fullText: false,
    othersWithinMs: request.timeoutMs * shareOfEngines,
  });
  if (hits.length === 0) return [];
  const pages = await parts.pages();
  return Promise.all(
    hits.map(async (hit) => {
      const page = await pages.read(hit.url, request.signal);
      if (page === null) return toResult(hit, hit.content);
      const fitting = request.deepSearch ? page.text : await fittingPassages(hit.query, page.text, hit.title);
      return toResult(hit, fitting ?? hit.content);
    }),
  );
}

async function asTheEngineSays(request: Bounded, parts: WebSearchParts): Promise<readonly WebResult[]> {
  const engine = await parts.engine("thirdparty");
  const asked = { ...request, fullText: request.deepSearch, othersWithinMs: request.timeoutMs };
  return (await hitsOf(engine, asked)).map((hit) => toResult(hit, hit.content));
}

async function withSummary(request: Bounded, parts: WebSearchParts): Promise<readonly WebResult[]> {
  const engine = await parts.groundingEngine();
  const { queries, count, sites, deepSearch: fullText, timeoutMs: othersWithinMs, signal } = request;
  const answered = await askEach(queries, {
    ask: (query, until) => engine.ground({ query, count, sites: hostsOf(sites), fullText, signal: until }),
    holdsSomething: ({ sources }) => sources.length > 0,
    ...{ othersWithinMs, signal },
  });
  return groundedResults(answered, { engine: engine.name, sites, count, signal, summarize: parts.summarize });
}

async function hitsOf(
  engine: WebEngine,
  {
    queries,
    count,
    sites,
    fullText,
    othersWithinMs,
    signal,
  }: Bounded & {
    readonly fullText: boolean;
    readonly othersWithinMs: number;
  },
): Promise<readonly FoundHit[]> {
  const answered = await askEach(queries, {
    ask: (query, until) => engine.search({ query, count, sites: hostsOf(sites), fullText, signal: until }),
    holdsSomething: (hits) => hits.length > 0,
    ...{ othersWithinMs, signal },
  });
  return mergeHits(
    answered.map(({ query, answer: hits }) => ({ query, hits })),
    { sites, count },
  );
}

const toResult = ({ url, title, description }: WebHit, content: string): WebResult => ({
  url,
  metadata: { title, description },
  content,
});
