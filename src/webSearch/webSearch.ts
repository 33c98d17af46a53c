/** How the web is searched (spec: Web search, Modes). */
export const webSearchModes = ["search", "context", "thirdparty"] as const;
/**
 * `search`: an engine finds pages, and these are read; `context`: an engine made for grounding, with a summary first;
 * `thirdparty`: what an engine's API answers.
 */
export type WebSearchMode = (typeof webSearchModes)[number];

/** What is looked for. */
export interface WebSearchRequest {
  /** At least one, none of them blank. Results of several are merged in turns. */
  readonly queries: readonly string[];
  /** Results at most, of all queries together. */
  readonly count: number;
  /** Hosts whose pages count, with those below them; null: all. */
  readonly sites: readonly string[] | null;
  /** By then there is an answer. */
  readonly timeoutMs: number;
  /** Whether results carry whole pages, as Markdown, instead of what fits the query. */
  readonly deepSearch: boolean;
  /** null: the tenant's default. */
  readonly mode: WebSearchMode | null;
  /** Aborts where nobody waits for the answer any more. */
  readonly signal?: AbortSignal;
}

/** What was found (spec: Web search result item). In the mode `context` the first is the summary. */
export interface WebResult {
  readonly url: string;
  /** Plain text. */
  readonly metadata: { readonly title: string; readonly description: string };
  /** Plain text; with `deepSearch` Markdown, where the page could be read. */
  readonly content: string;
}

/** Searches the web. */
export interface WebSearch {
  /** The best first; none where nothing was found. Rejects with `WebSearchUnavailable` alone. */
  search(request: WebSearchRequest): Promise<readonly WebResult[]>;
}
