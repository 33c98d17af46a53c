import { Client } from "typesense";
import type { CollectionCreateSchema } from "typesense/lib/Typesense/Collections.js";
import { withoutTrailing } from "../../../shared/texts.js";
import { EngineUnavailable } from "../../../../projections/ports.js";
import { ReadModelUnavailable } from "../../../shared/failures.js";
import { Agent as HttpAgent, request as requestHttp, type IncomingMessage, type RequestOptions } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { urlToHttpOptions } from "node:url";

/** How to reach a Typesense server. */
export interface TypesenseServer {
  /** `http://host:8108`, or `https://…`. */
  readonly url: string;
  readonly apiKey: string;
}

/** Typesense did not do what was asked of it. The message is for people, and holds neither credentials nor texts. */
export class TypesenseFailure extends Error {
  override readonly name = "TypesenseFailure";

  constructor(
    message: string,
    /** The HTTP status, also of a single search within a request; null where there was no answer. */
    readonly status: number | null,
  ) {
    super(message);
  }
}

/** One search of a request; `collection` by its own name, never by an alias. */
export interface EngineSearch {
  readonly collection: string;
  readonly q: string;
  readonly query_by?: string;
  readonly filter_by?: string;
  readonly sort_by?: string;
  readonly per_page?: number;
  readonly page?: number;
  readonly offset?: number;
  readonly limit?: number;
  readonly include_fields?: string;
  readonly facet_by?: string;
  readonly max_facet_values?: number;
  /** `exhaustive`: every document counts. The engine's own choice may be an estimate. */
  readonly facet_strategy?: "exhaustive";
  /** Above this many documents only a percentage of them is counted, and the engine scales the count up. */
  readonly facet_sample_threshold?: number;
  readonly facet_sample_percent?: number;
  readonly prefix?: boolean;
  readonly num_typos?: number;
  /** For the nearest vectors; with `q` `*` and without `query_by`. */
  readonly vector_query?: string;
  /** After so long the engine answers with what it has found. */
  readonly search_cutoff_ms?: number;
  readonly typo_tokens_threshold?: number;
  readonly min_len_1typo?: number;
  readonly min_len_2typo?: number;
  readonly max_candidates?: number;
  /** Where fewer than so many are found, words are left out of the query. */
  readonly drop_tokens_threshold?: number;
}

export interface EngineAnswer<Row> {
  /** How many documents match. */
  readonly found: number;
  /** How many documents the collection has. */
  readonly out_of: number;
  readonly search_time_ms: number;
  /** The engine stopped at `search_cutoff_ms`. */
  readonly search_cutoff?: boolean;
  /** The distance is there where a vector was asked for: 1 less the cosine. */
  readonly hits: readonly { readonly document: Row; readonly vector_distance?: number }[];
  readonly facet_counts?: readonly {
    readonly field_name: string;
    readonly sampled?: boolean;
    readonly counts: readonly { readonly value: string; readonly count: number }[];
    readonly stats: { readonly avg?: number };
  }[];
}

type SearchResult<Row> = EngineAnswer<Row> & { readonly error?: string; readonly code?: number };

/** The outcome of one line of an import. */
interface ImportOutcome {
  readonly success: boolean;
  readonly code?: number;
  readonly error?: string;
}

/** The engine takes 50 searches in a request where it is not told that there may be more. */
const searchesPerRequest = 500;
/** How large a request of an import is: about half a second of the engine's time, so that none outlasts a lease. */
const importBytes = 1024 * 1024;

const quiet = () => undefined;
const noLog = { trace: quiet, debug: quiet, info: quiet, warn: quiet, error: quiet, log: quiet, setLevel: quiet };

interface RefusedRequest extends Error {
  readonly httpStatus?: number;
}

/** In the form in which the client makes it. */
function refusal(status: number, body: string): RefusedRequest {
  const message = /"message"\s*:\s*"([^"]*)"/.exec(body)?.[1] ?? "";
  return Object.assign(new Error(message), { httpStatus: status });
}

/**
 * Requests to one server, each with a deadline, and with failures told in a sentence. The client's own errors hold
 * headers and bodies, so they stop here.
 */
export class TypesenseConnection {
  private readonly client: Client;
  private readonly adapter: ReturnType<typeof createDeadlineAdapter>;
  private readonly postSearches;
  /** How many milliseconds the engine says that it took for all searches so far. */
  engineMs = 0;

  /** `deadline`: see {@link createDeadlineAdapter}. */
  constructor(
    private readonly server: TypesenseServer,
    deadline: Deadline,
  ) {
    this.adapter = createDeadlineAdapter(deadline);
    const url = withoutTrailing(server.url, "/");
    this.postSearches = this.adapter.poster(new URL(`${url}/multi_search?limit_multi_searches=${searchesPerRequest}`), {
      "x-typesense-api-key": server.apiKey,
      "content-type": "application/json",
    });
    this.client = new Client({
      nodes: [{ url }],
      apiKey: server.apiKey,
      numRetries: 0,
      axiosAdapter: this.adapter.send as never,
      logger: noLog as never,
    });
  }

  /**
   * Runs the searches in as many requests as they need. Throws where one of them failed, which the HTTP status does not
   * tell.
   */
  async search<Row>(searches: readonly EngineSearch[]): Promise<readonly EngineAnswer<Row>[]> {
    const answers: EngineAnswer<Row>[] = [];
    for (let from = 0; from < searches.length; from += searchesPerRequest) {
      const some = searches.slice(from, from + searchesPerRequest);
      const results = await this.ask(() => this.multiSearch<Row>(some));
      for (const result of results) {
        if (result.error !== undefined)
          throw new TypesenseFailure(`Typesense refused a search: ${withoutValues(result.error)}`, result.code ?? null);
        this.engineMs += result.search_time_ms;
        answers.push(result);
      }
    }
    return answers;
  }

  /** Bypasses the client, whose preparations would be half of what we add to the engine's own time. */
  private async multiSearch<Row>(searches: readonly EngineSearch[]): Promise<readonly SearchResult<Row>[]> {
    const { status, data } = await this.postSearches(JSON.stringify({ searches }));
    if (status !== 200) throw refusal(status, data);
    return (JSON.parse(data) as { readonly results: readonly SearchResult<Row>[] }).results;
  }

  /**
   * Writes rows in requests of a megabyte. The outcomes are in the rows' order: a request that succeeded says nothing
   * about its rows.
   */
  async import(
    collection: string,
    rows: readonly object[],
    action: "create" | "upsert" | "update",
  ): Promise<readonly ImportOutcome[]> {
    const outcomes: ImportOutcome[] = [];
    let lines: string[] = [];
    let bytes = 0;
    const send = async (): Promise<void> => {
      if (lines.length === 0) return;
      const body = lines.join("\n");
      const answer = await this.ask(() =>
        this.client.collections(collection).documents().import(body, { action, dirty_values: "reject" }),
      );
      outcomes.push(...answer.split("\n").map((line) => JSON.parse(line) as ImportOutcome));
      [lines, bytes] = [[], 0];
    };
    for (const row of rows) {
      const line = toAscii(JSON.stringify(row));
      if (bytes + line.length > importBytes) await send();
      lines.push(line);
      bytes += line.length;
    }
    await send();
    if (outcomes.length !== rows.length)
      throw new TypesenseFailure(`Typesense answered ${outcomes.length} of ${rows.length} lines of an import.`, null);
    return outcomes;
  }

  /** Does what {@link import} does, and throws where a row was not written. */
  async write(collection: string, rows: readonly object[], action: "upsert" | "update" = "upsert"): Promise<void> {
    const failed = (await this.import(collection, rows, action)).find(({ success }) => !success);
    if (failed !== undefined)
      throw new TypesenseFailure(
        `Typesense did not take a document: ${withoutValues(failed.error ?? "")}`,
        failed.code ?? null,
      );
  }

  /** Deletes what the filter matches, and returns how many documents that were. */
  async remove(collection: string, filter: string): Promise<number> {
    const { num_deleted: deleted } = await this.ask(() =>
      this.client.collections(collection).documents().delete({ filter_by: filter }),
    );
    return deleted;
  }

  /** All rows that the filter matches, however many. */
  async export<Row>(collection: string, filter: string): Promise<readonly Row[]> {
    const lines = await this.ask(() => this.client.collections(collection).documents().export({ filter_by: filter }));
    return lines === "" ? [] : lines.split("\n").map((line) => JSON.parse(line) as Row);
  }

  collectionNames(): Promise<readonly string[]> {
    return this.ask(async () =>
      (await this.client.collections().retrieve({ exclude_fields: "fields" })).map(({ name }) => name),
    );
  }

  /** No error where it is there already. */
  async createCollection(schema: CollectionCreateSchema): Promise<void> {
    await this.ask(() => this.client.collections().create(schema)).catch(unless(409));
  }

  /** No error where it is gone already. `collection` must be its own name: an alias would be followed. */
  async dropCollection(collection: string): Promise<void> {
    await this.ask(() => this.client.collections(collection).delete()).catch(unless(404));
  }

  /** The collection that an alias names; null where there is no such alias. */
  async aliasTarget(alias: string): Promise<string | null> {
    const found = await this.ask(() => this.client.aliases(alias).retrieve()).catch(unless(404));
    return found?.collection_name ?? null;
  }

  async pointAlias(alias: string, collection: string): Promise<void> {
    await this.ask(() => this.client.aliases().upsert(alias, { collection_name: collection }));
  }

  /** No error where it is gone already; the collection that it names stays. */
  async dropAlias(alias: string): Promise<void> {
    await this.ask(() => this.client.aliases(alias).delete()).catch(unless(404));
  }

  close(): void {
    this.adapter.close();
  }

  /** Asks once more where a kept connection turned out to be closed: the server never saw the request. */
  private async ask<Answer>(request: () => Promise<Answer>): Promise<Answer> {
    try {
      return await request().catch((error: unknown) => {
        if (error instanceof NoAnswer && error.isStaleConnection) return request();
        throw error;
      });
    } catch (error) {
      throw this.failureOf(error);
    }
  }

  private failureOf(error: unknown): Error {
    if (error instanceof NoAnswer) return new TypesenseFailure(`Typesense at ${error.message}.`, null);
    const status = (error as RefusedRequest).httpStatus;
    // No refusal: it is what `deadline` threw, or a fault of ours.
    if (status === undefined) return error instanceof Error ? error : new Error(String(error));
    const host = new URL(this.server.url).host;
    if (status === 401) return new TypesenseFailure(`Typesense at ${host} refuses the API key.`, status);
    return new TypesenseFailure(
      `Typesense at ${host} answered ${status}: ${withoutValues((error as Error).message)}`,
      status,
    );
  }
}

/**
 * The engine takes a long body over in chunks, and loses what is left of a character that is cut between two of them
 * (seen on 29.0). A chunk cannot cut what has no bytes beyond ASCII.
 */
const toAscii = (json: string): string =>
  json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Turns a refusal with this status into undefined. */
const unless =
  (status: number) =>
  (error: unknown): undefined => {
    if (error instanceof TypesenseFailure && error.status === status) return undefined;
    throw error;
  };

/** The engine's messages can quote what was sent, so at most their beginning is told, without quotes. */
const withoutValues = (message: string): string =>
  message
    .replace(/^Request failed with HTTP code \d+ \| Server said: /, "")
    .replace(/last read: .*$/s, "")
    .slice(0, 160);

/** Blames what was sent. Any other status blames the engine: a refused key, a full disk (422), a node that lags. */
const badRequest = 400;

const isEngineAtFault = (error: unknown): error is TypesenseFailure =>
  error instanceof TypesenseFailure && error.status !== badRequest;

/** For projections: they wait for whatever is not the fault of what was written. */
export const toWriterFailure = (error: unknown): unknown =>
  isEngineAtFault(error) ? new EngineUnavailable(error.message) : error;

/** For readers: an engine that cannot answer now has not answered "nothing found". */
export const toReaderFailure = (error: unknown): unknown =>
  isEngineAtFault(error) ? new ReadModelUnavailable(error.message) : error;

/** The part of a request that the client hands over. */
interface OutgoingRequest {
  readonly url?: string;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly headers?: unknown;
  readonly data?: unknown;
}

interface IncomingAnswer<Request> extends PlainAnswer {
  readonly config: Request;
}

/**
 * A request that got no answer: the connection failed, or the deadline passed. The message is for people, without
 * credentials.
 */
class NoAnswer extends Error {
  override readonly name = "NoAnswer";

  constructor(
    message: string,
    /**
     * True where a connection that was kept open turned out to be closed: nothing was done, so the request can be
     * repeated at once.
     */
    readonly isStaleConnection: boolean,
  ) {
    super(message);
  }
}

/** Returns how many milliseconds a request to this path may take, or throws where it must not be sent at all. */
type Deadline = (path: string) => number;

/** An answer with its whole body. */
interface PlainAnswer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: IncomingMessage["headers"];
  readonly data: string;
}

/**
 * How requests are sent to Typesense: over connections that are kept open, each with a deadline of our own, imports
 * included (the client never ends those by itself). `deadline` is asked synchronously right before sending.
 */
function createDeadlineAdapter(deadline: Deadline) {
  const options = { keepAlive: true, maxSockets: 64, noDelay: true };
  const agents = { "http:": new HttpAgent(options), "https:": new HttpsAgent(options) };
  const openers = { "http:": requestHttp, "https:": requestHttps };
  const protocolOf = (url: URL): "http:" | "https:" => (url.protocol === "https:" ? "https:" : "http:");
  return {
    /** The client takes this in place of its axios. */
    send: async <Request extends OutgoingRequest>(config: Request): Promise<IncomingAnswer<Request>> => {
      const url = withParameters(new URL(config.url ?? ""), config.params ?? {});
      const protocol = protocolOf(url);
      const method = (config.method ?? "get").toUpperCase();
      const request: RequestOptions = {
        ...urlToHttpOptions(url),
        method,
        headers: plainHeaders(config.headers),
        agent: agents[protocol],
      };
      const answer = await exchange(openers[protocol], {
        request,
        body: config.data,
        host: url.host,
        timeoutMs: deadline(url.pathname),
      });
      return { ...answer, config };
    },
    /** Posts JSON to always the same place, bypassing the client. */
    poster: (url: URL, headers: Readonly<Record<string, string>>): ((json: string) => Promise<PlainAnswer>) => {
      const protocol = protocolOf(url);
      const request: RequestOptions = { ...urlToHttpOptions(url), method: "POST", headers, agent: agents[protocol] };
      return (json) =>
        exchange(openers[protocol], { request, body: json, host: url.host, timeoutMs: deadline(url.pathname) });
    },
    close: (): void => {
      agents["http:"].destroy();
      agents["https:"].destroy();
    },
  };
}

interface Exchange {
  readonly request: RequestOptions;
  /** Sent where it is a text. */
  readonly body: unknown;
  /** For messages. */
  readonly host: string;
  readonly timeoutMs: number;
}

function exchange(open: typeof requestHttp, { request, body, host, timeoutMs }: Exchange): Promise<PlainAnswer> {
  const bytes = typeof body === "string" ? Buffer.from(body) : null;
  const headers = bytes === null ? request.headers : { ...request.headers, "content-length": bytes.length };
  return new Promise((resolve, reject) => {
    const sent = open({ ...request, headers } as RequestOptions, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("error", fail);
      answer.on("end", () => {
        clearTimeout(timer);
        const { statusCode = 0, statusMessage = "", headers: received } = answer;
        resolve({ status: statusCode, statusText: statusMessage, headers: received, data: textOf(parts) });
      });
    });
    const timer = setTimeout(
      () => sent.destroy(new NoAnswer(`${host} did not answer within ${Math.round(timeoutMs)} ms`, false)),
      timeoutMs,
    );
    function fail(error: NodeJS.ErrnoException): void {
      clearTimeout(timer);
      const isStale = sent.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE");
      reject(
        error instanceof NoAnswer
          ? error
          : new NoAnswer(`${host} cannot be reached (${error.code ?? error.message})`, isStale),
      );
    }
    sent.on("error", fail);
    sent.end(bytes);
  });
}

const textOf = (parts: readonly Buffer[]): string =>
  (parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)).toString();

function withParameters(url: URL, parameters: Readonly<Record<string, unknown>>): URL {
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined && value !== null) url.searchParams.set(name, String(value));
  return url;
}

/** The client's headers as plain values. */
const plainHeaders = (headers: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(
      (headers as { toJSON?: () => object } | undefined)?.toJSON?.() ?? (headers as object | undefined) ?? {},
    ).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
