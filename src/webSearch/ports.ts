/** A question for an engine. */
export interface WebQuestion {
  readonly query: string;
  /** Hits at most. An engine may give fewer, and more, which are left out. */
  readonly count: number;
  /** Host names; null: the whole web. What an engine finds elsewhere all the same is left out. */
  readonly sites: readonly string[] | null;
  /** Whether whole pages are wanted, from an engine that has them. */
  readonly fullText: boolean;
  /** Aborts when time is up, or nobody waits any more. */
  readonly signal: AbortSignal;
}

/** A page that an engine knows. All texts are plain. */
export interface WebHit {
  readonly url: string;
  readonly title: string;
  /** What the engine shows of the page. */
  readonly description: string;
  /** The most that the engine tells of the page. */
  readonly content: string;
  /**
   * Whether the page adds to an answer in the engine's own words, which are kept, or holds nothing else. Left out: it
   * is no such answer, and the page says it better.
   */
  readonly page?: "adds" | "none";
}

/** What an engine gives to ground an answer on. */
export interface Grounding {
  /** What the engine has written from the sources; null: it writes nothing. */
  readonly summary: string | null;
  readonly sources: readonly WebHit[];
}

/** An engine that knows the web. Rejects with `WebSearchUnavailable` alone, which names it, and never its key. */
export interface WebEngine {
  /** The name that people call the engine by. */
  readonly name: string;
  /** The best first. */
  search(question: WebQuestion): Promise<readonly WebHit[]>;
}

/** An engine that also grounds answers. */
export interface GroundingEngine extends WebEngine {
  ground(question: WebQuestion): Promise<Grounding>;
}

/** The text of a page. */
export interface WebPage {
  /** Markdown of what there is to read, without links and images. Never empty. */
  readonly text: string;
}

/** Reads pages of the web, as robots.txt and what is public allow. */
export interface PageReader {
  /** null: the page cannot or may not be read, or not by the time at which the signal aborts. Never rejects. */
  read(url: string, signal: AbortSignal): Promise<WebPage | null>;
}

/** Writes from these sources alone what they say to a query. null: no model can now. Never rejects. */
export type Summarize = (query: string, sources: readonly WebHit[], signal: AbortSignal) => Promise<string | null>;
