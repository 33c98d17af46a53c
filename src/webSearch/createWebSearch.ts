import { hostsOf, isOnSites, pageAddress, sameness } from "./addresses.js";
import type { GroundingEngine, PageReader, Summarize, WebEngine, WebHit, Grounding } from "./ports.js";
import type { WebResult, WebSearch, WebSearchMode, WebSearchRequest } from "./webSearch.js";
import { bestPassagesInTurns } from "../analysis/passages.js";

/** What searches rest on. */
export interface WebSearchParts {
  /** The mode of requests that name none. */
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

/** Searches of the web over an engine for each mode (docs/design/chat-and-web.md). */
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
      const read = hit.page === "none" ? null : await readPage(hit, request, pages);
      if (read === null) return toResult(hit, hit.content);
      return toResult(hit, hit.page === "adds" ? `${hit.content}\n\n${read}` : read);
    }),
  );
}

/** What a page says to the query that found it, or all of it; null: nothing that could be read. */
async function readPage(
  { url, query, title }: FoundHit,
  { deepSearch, signal }: Pick<Bounded, "deepSearch" | "signal">,
  pages: PageReader,
): Promise<string | null> {
  const page = await pages.read(url, signal);
  if (page === null || deepSearch) return page?.text ?? null;
  return fittingPassages(query, page.text, title);
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

/**
 * Runs work that has to end when any of these signals aborts. The library's own `AbortSignal.any` keeps its sources
 * weakly: one that nobody else holds is forgotten with its timer, and never aborts.
 */
async function untilAborted<Value>(
  signals: readonly (AbortSignal | undefined)[],
  work: (until: AbortController) => Promise<Value>,
): Promise<Value> {
  const until = new AbortController();
  const abort = (): void => until.abort();
  const heard = signals.filter((signal) => signal !== undefined);
  if (heard.some(({ aborted }) => aborted)) abort();
  for (const signal of heard) signal.addEventListener("abort", abort);
  try {
    return await work(until);
  } finally {
    for (const signal of heard) signal.removeEventListener("abort", abort);
  }
}

/** What came of a query. */
interface Answered<Answer> {
  readonly query: string;
  readonly answer: Answer;
}

interface EngineCall<Answer> {
  ask(query: string, signal: AbortSignal): Promise<Answer>;
  /** Whether an answer holds anything to show. */
  holdsSomething(answer: Answer): boolean;
  /** From then on nobody waits for a query any more, where another one has brought something. */
  readonly othersWithinMs: number;
  readonly signal: AbortSignal;
}

/**
 * Asks every query at once. What fails costs the others nothing. Rejects with what the first failure was where nothing
 * was found, since nobody can tell then that there is nothing.
 */
const askEach = <Answer>(
  queries: readonly string[],
  { ask, holdsSomething, othersWithinMs, signal }: EngineCall<Answer>,
): Promise<readonly Answered<Answer>[]> =>
  untilAborted([signal], async (until) => {
    let [isLate, isSomethingThere] = [false, false];
    const leaveOthers = (): void => {
      if (isLate && isSomethingThere) until.abort();
    };
    const timer = setTimeout(() => {
      isLate = true;
      leaveOthers();
    }, othersWithinMs);
    const asked = queries.map(async (query) => {
      const answer = await ask(query, until.signal);
      isSomethingThere ||= holdsSomething(answer);
      leaveOthers();
      return { query, answer };
    });
    const outcomes = await Promise.allSettled(asked);
    clearTimeout(timer);
    const failure = outcomes.find((outcome) => outcome.status === "rejected");
    if (failure !== undefined && !isSomethingThere) throw failure.reason;
    return outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
  });

/** More of a page is not looked through: ranking happens on the thread that answers requests. */
const mostCharacters = 200_000;

const mostPassages = 3;

/** The passages of a page that fit a query best, in reading order, as plain text; null: none does. */
async function fittingPassages(query: string, page: string, title: string): Promise<string | null> {
  const best = await bestPassagesInTurns(query, [{ text: page.slice(0, mostCharacters), title }], mostPassages);
  if (best.length === 0) return null;
  const inOrder = [...best].sort((one, other) => one.start - other.start);
  return inOrder.map(({ text }) => withoutMarks(text)).join("\n\n");
}

/** Without the marks of headings and code that Markdown has. */
const withoutMarks = (markdown: string): string =>
  markdown
    .replace(/^(?:#{1,6} +|```.*$\n?)/gm, "")
    .replaceAll("`", "")
    .trim();

const mostSentences = 5;
/** So many characters of all sources together are looked through for sentences, each source from its beginning. */
const mostForSentences = 60_000;

/** Shorter ones are headings and remains. */
const leastCharacters = 25;

/** Longer ones are tables and lists: no summary. */
const longestSentence = 600;

/**
 * A summary without a model: the sentences that fit a query best, in the order of their sources. Where none does, how
 * the first source begins.
 */
export async function fittingSentences(query: string, texts: readonly string[]): Promise<string> {
  const share = Math.floor(mostForSentences / Math.max(1, texts.length));
  const all = [...new Set(texts.flatMap((text) => sentencesOf(text.slice(0, share))))];
  const best = await bestPassagesInTurns(
    query,
    all.map((text) => ({ text })),
    mostSentences,
  );
  const chosen = best.length > 0 ? best.map(({ source }) => source) : all.slice(0, mostSentences).map((_, at) => at);
  return [...new Set(chosen)]
    .sort((one, other) => one - other)
    .map((at) => all[at])
    .join(" ");
}

const sentencesOf = (text: string): readonly string[] =>
  Array.from(new Intl.Segmenter(undefined, { granularity: "sentence" }).segment(text), ({ segment }) =>
    segment.replace(/\s+/g, " ").trim(),
  ).filter(({ length }) => length >= leastCharacters && length <= longestSentence);

/** A hit, with the query that found it first. */
interface FoundHit extends WebHit {
  readonly query: string;
}

interface HitsOfQuery {
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

interface GroundingTerms {
  /** The name that people call the engine by. */
  readonly engine: string;
  readonly sites: readonly string[] | null;
  readonly count: number;
  readonly summarize: Summarize;
  readonly signal: AbortSignal;
}

/**
 * Summary first, then the sources that it rests on, `count` in all. Nothing without sources: what nobody can look up is
 * no grounding.
 */
async function groundedResults(
  answered: readonly Answered<Grounding>[],
  terms: GroundingTerms,
): Promise<readonly WebResult[]> {
  const sources = merged(answered, terms);
  const [first] = sources;
  if (first === undefined) return [];
  const grounded = answered.filter(({ answer }) => answer.sources.length > 0);
  const summaries = await Promise.all(grounded.map((one) => summaryOf(one, terms)));
  const summary: WebResult = {
    url: first.url,
    metadata: { title: grounded.map(({ query }) => query).join("; "), description: howTheyWereMade(summaries) },
    content: summaries.map(({ query, text }) => (grounded.length > 1 ? `${query}\n${text}` : text)).join("\n\n"),
  };
  const shown = sources.slice(0, terms.count - 1).map(({ url, title, description, content }) => ({
    ...{ url, metadata: { title, description } },
    content,
  }));
  return [summary, ...shown];
}

const merged = (
  answered: readonly Answered<Grounding>[],
  { sites, count }: Pick<GroundingTerms, "sites" | "count">,
): readonly FoundHit[] =>
  mergeHits(
    answered.map(({ query, answer: { sources } }) => ({ query, hits: sources })),
    { sites, count },
  );

interface Summary {
  readonly query: string;
  readonly text: string;
  readonly by: string;
}

/** The engine's, else a model's, else sentences of the sources. */
async function summaryOf(one: Answered<Grounding>, terms: GroundingTerms): Promise<Summary> {
  const { query, answer } = one;
  if (answer.summary !== null) return { query, text: answer.summary, by: `${terms.engine} has written` };
  const sources = merged([one], terms);
  const written = await terms.summarize(query, sources, terms.signal);
  if (written !== null) return { query, text: written, by: "the service's model has written" };
  const contents = sources.map(({ content }) => content);
  return { query, text: await fittingSentences(query, contents), by: put };
}

const put = "put";

/** One sentence for each way in which they were made. */
const howTheyWereMade = (summaries: readonly Summary[]): string =>
  [...new Set(summaries.map(({ by }) => by))]
    .map((by) =>
      by === put
        ? "A summary put together from sentences of the sources that fit the query best; no model has written it."
        : `A summary that ${by} from its sources.`,
    )
    .join(" ");
