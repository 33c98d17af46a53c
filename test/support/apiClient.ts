import { breachOf } from "./answerContract.js";
import { growingPauses } from "./pauses.js";

export interface ApiAnswer<Body = unknown> {
  readonly status: number;
  /** The parsed JSON body; the text where it is none; null where there is none. */
  readonly body: Body;
  readonly headers: Headers;
}

export type Method = "GET" | "POST" | "PUT" | "DELETE";

export interface RequestOptions {
  /** Sent as it is, whatever it is, instead of JSON. */
  readonly raw?: { readonly contentType: string; readonly text: string };
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** What a page of somebody who is signed in sends. */
export interface PageSession {
  /** The header `Cookie`. */
  readonly cookie: string;
  readonly csrfToken: string;
}

/** More than a test has answers under way; the service takes 100. */
const mostTokens = 40;

/** The latest consistency tokens that any client of one test has been given: nobody can tell which is the newest. */
export class Freshness {
  private readonly latest = new Set<string>();

  /** All of them, as the header takes them; null where there are none. */
  get tokens(): string | null {
    return this.latest.size === 0 ? null : [...this.latest].join(", ");
  }

  note(token: string | null): void {
    if (token === null) return;
    this.latest.delete(token);
    this.latest.add(token);
    const [oldest] = this.latest;
    if (this.latest.size > mostTokens && oldest !== undefined) this.latest.delete(oldest);
  }
}

/**
 * A thin client for tests: one credential, parsed answers, no opinion about statuses. Every answer has to be as the
 * API's description says. Reads carry the consistency
 * tokens of {@link Freshness}, so that they see every write that was answered before; where the service says
 * that it is not that far yet (503 with Retry-After), the read is sent again.
 */
export class ApiClient {
  constructor(
    readonly url: string,
    readonly credential: string | null,
    private readonly freshness: Freshness = new Freshness(),
    /** Sent where there is no credential; null: nobody is signed in. */
    readonly session: PageSession | null = null,
  ) {}

  /** The same service, with another credential; null: without. */
  as(credential: string | null): ApiClient {
    return new ApiClient(this.url, credential, this.freshness);
  }

  /** The same service, as a page of somebody who is signed in asks it. */
  signedIn(session: PageSession): ApiClient {
    return new ApiClient(this.url, null, this.freshness, session);
  }

  /** The same credential and the same tokens, sent to another server. */
  at(url: string): ApiClient {
    return new ApiClient(url, this.credential, this.freshness, this.session);
  }

  get<Body = unknown>(path: string, options?: RequestOptions): Promise<ApiAnswer<Body>> {
    return this.request("GET", path, undefined, options);
  }

  post<Body = unknown>(path: string, body?: unknown, options?: RequestOptions): Promise<ApiAnswer<Body>> {
    return this.request("POST", path, body, options);
  }

  put<Body = unknown>(path: string, body?: unknown, options?: RequestOptions): Promise<ApiAnswer<Body>> {
    return this.request("PUT", path, body, options);
  }

  delete<Body = unknown>(path: string, options?: RequestOptions): Promise<ApiAnswer<Body>> {
    return this.request("DELETE", path, undefined, options);
  }

  async request<Body>(
    method: Method,
    path: string,
    body: unknown,
    options: RequestOptions = {},
  ): Promise<ApiAnswer<Body>> {
    const reads = method === "GET" || path.endsWith("/check-access");
    for (const pause = growingPauses(); ; await pause()) {
      const response = await fetch(this.url + path, this.describe(method, body, options, reads));
      const text = await response.text();
      if (reads && response.status === 503 && response.headers.has("retry-after")) continue;
      this.freshness.note(response.headers.get("x-consistency-token"));
      const answer = { status: response.status, body: parse(text) as Body, headers: response.headers };
      const breach = breachOf(method, path, answer);
      if (breach !== null) throw new Error(`The answer is not as the API's description says. ${breach}`);
      return answer;
    }
  }

  private describe(
    method: Method,
    body: unknown,
    { raw, headers, signal }: RequestOptions,
    reads: boolean,
  ): RequestInit {
    const sent: Record<string, string> = {};
    if (this.credential !== null) sent["authorization"] = `Bearer ${this.credential}`;
    else if (this.session !== null)
      Object.assign(sent, { cookie: this.session.cookie, "x-csrf-token": this.session.csrfToken });
    if (reads && this.freshness.tokens !== null) sent["x-consistency-token"] = this.freshness.tokens;
    if (raw !== undefined) sent["content-type"] = raw.contentType;
    else if (body !== undefined) sent["content-type"] = "application/json";
    const payload = raw?.text ?? (body === undefined ? undefined : JSON.stringify(body));
    return { method, headers: { ...sent, ...headers }, body: payload, signal };
  }
}

function parse(text: string): unknown {
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
