import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { compileFilter } from "./filterBy.js";
import { runSearch, type SearchParameters } from "./runSearch.js";
import { Refusal, StoredCollection, type Document, type Schema } from "./storedCollection.js";

/** A request as the double sees it. */
export interface DoubleRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: string;
}

/**
 * What is to become of a request instead of its answer: a status, a connection cut before or after it was carried out,
 * no answer at all, every line of an import refused under a 200.
 */
export type Mishap = { readonly status: number } | { readonly lines: number } | "cutBefore" | "cutAfter" | "silence";

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const mostSearches = 500;

/**
 * A server on this machine that speaks as a Typesense 29 does, as far as adapters go, with a small index of its own.
 * What it answers is held against recorded exchanges. Fails on command.
 */
export class TypesenseDouble {
  readonly apiKey = "double";
  /** Every request so far, the newest last. */
  readonly requests: DoubleRequest[] = [];
  /** Asked for each request: what is to go wrong with it. May wait. */
  interfere: (request: DoubleRequest) => Mishap | null | Promise<Mishap | null> = () => null;
  /** As an engine that has too much to do: searches that may be cut off find nothing in time. */
  isSlow = false;
  private readonly collections = new Map<string, StoredCollection>();
  private readonly aliases = new Map<string, string>();
  private readonly server = createServer((request, response) => void this.serve(request, response));

  static async start(port = 0): Promise<TypesenseDouble> {
    const double = new TypesenseDouble();
    double.server.listen(port, "127.0.0.1");
    await once(double.server, "listening");
    return double;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** As an engine whose disk was lost. */
  loseEverything(): void {
    this.collections.clear();
    this.aliases.clear();
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, "close");
  }

  private async serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    const url = new URL(incoming.url ?? "/", "http://double");
    const request: DoubleRequest = {
      method: incoming.method ?? "GET",
      path: url.pathname,
      query: url.searchParams,
      body: textOf(Buffer.concat(parts)),
    };
    this.requests.push(request);
    const mishap = await this.interfere(request);
    if (mishap === "silence") return;
    if (mishap === "cutBefore") return void incoming.socket.destroy();
    const isAllowed = request.path === "/health" || incoming.headers["x-typesense-api-key"] === this.apiKey;
    const answer = refusalOf(mishap, isAllowed, request) ?? this.answer(request);
    if (mishap === "cutAfter") return void incoming.socket.destroy();
    const isText = typeof answer.body === "string";
    response.writeHead(answer.status, {
      "content-type": isText ? "text/plain; charset=utf-8" : "application/json; charset=utf-8",
    });
    response.end(isText ? (answer.body as string) : JSON.stringify(answer.body));
  }

  private answer(request: DoubleRequest): Answer {
    try {
      return this.route(request);
    } catch (error) {
      if (error instanceof Refusal) return { status: error.code, body: { message: error.message } };
      throw error;
    }
  }

  private route({ method, path, query, body }: DoubleRequest): Answer {
    const [kind, name = "", documents, action] = path.split("/").slice(1).map(decodeURIComponent);
    if (kind === "health") return ok({ ok: true });
    if (kind === "multi_search") return this.multiSearch(JSON.parse(body) as { searches: SearchParameters[] });
    if (kind === "aliases") return this.routeAlias(method, name, body);
    if (kind === "collections" && documents === undefined) return this.routeCollection(method, name, body);
    if (kind === "collections" && documents === "documents")
      return this.routeDocuments(method, this.resolve(name), { action: action ?? "", query, body });
    throw new Refusal(404, "Not Found");
  }

  private routeAlias(method: string, name: string, body: string): Answer {
    if (method === "PUT") this.aliases.set(name, (JSON.parse(body) as { collection_name: string }).collection_name);
    if (name === "")
      return ok({ aliases: [...this.aliases].map(([alias, target]) => ({ collection_name: target, name: alias })) });
    const target = this.aliases.get(name);
    if (target === undefined) throw new Refusal(404, "Collection not found");
    if (method === "DELETE") this.aliases.delete(name);
    return ok({ collection_name: target, name });
  }

  private routeCollection(method: string, name: string, body: string): Answer {
    if (method === "POST") return this.createCollection(JSON.parse(body) as Schema);
    if (name === "") return ok([...this.collections.values()].map(describe));
    if (method === "DELETE") {
      const dropped = this.collections.get(name);
      if (dropped === undefined) throw new Refusal(404, `No collection with name \`${name}\` found.`);
      this.collections.delete(name);
      return ok(describe(dropped));
    }
    return ok(describe(this.resolve(name)));
  }

  private createCollection(schema: Schema): Answer {
    if (this.collections.has(schema.name))
      throw new Refusal(409, `A collection with name \`${schema.name}\` already exists.`);
    const collection = new StoredCollection(schema);
    this.collections.set(schema.name, collection);
    return { status: 201, body: describe(collection) };
  }

  private routeDocuments(
    method: string,
    collection: StoredCollection,
    request: { readonly action: string; readonly query: URLSearchParams; readonly body: string },
  ): Answer {
    const { action, query, body } = request;
    const filter = query.get("filter_by");
    const selected = () =>
      [...collection.stored.values()]
        .filter(filter === null ? () => true : compileFilter(filter, collection))
        .map(({ document }) => document);
    if (action === "import")
      return ok(
        body
          .split("\n")
          .map((line) => JSON.stringify(collection.importLine(line, query.get("action") ?? "create")))
          .join("\n"),
      );
    if (action === "export")
      return ok(
        selected()
          .map((document) => JSON.stringify(exported(document, query.get("include_fields"))))
          .join("\n"),
      );
    if (action !== "") return ok(this.oneDocument(method, collection, action, body));
    if (filter === null) throw new Refusal(400, "Parameter `filter_by` must be provided.");
    const documents = selected();
    if (method === "PATCH") {
      for (const { id } of documents) collection.write({ ...(JSON.parse(body) as object), id }, "update");
      return ok({ num_updated: documents.length });
    }
    for (const { id } of documents) collection.remove(id);
    return ok({ num_deleted: documents.length });
  }

  private oneDocument(method: string, collection: StoredCollection, id: string, body: string): Document {
    if (method === "DELETE") return collection.remove(id);
    if (method === "PATCH") return collection.write({ ...(JSON.parse(body) as object), id }, "update");
    const found = collection.stored.get(id);
    if (found === undefined) throw new Refusal(404, `Could not find a document with id: ${id}`);
    return found.document;
  }

  private multiSearch({ searches }: { readonly searches: readonly SearchParameters[] }): Answer {
    if (searches.length > mostSearches)
      throw new Refusal(400, `Number of multi searches exceeds \`limit_multi_searches\` parameter.`);
    const results = searches.map((search) => {
      try {
        const answer = runSearch(this.resolve(search.collection), search);
        if (!this.isSlow || search.search_cutoff_ms === undefined) return answer;
        return { ...answer, found: 0, hits: [], search_cutoff: true };
      } catch (error) {
        if (error instanceof Refusal) return { code: error.code, error: error.message };
        throw error;
      }
    });
    return ok({ results });
  }

  /** An alias is followed wherever a collection is named, but where one is dropped. */
  private resolve(name: string): StoredCollection {
    const collection = this.collections.get(name) ?? this.collections.get(this.aliases.get(name) ?? "");
    if (collection === undefined) throw new Refusal(404, "Collection not found");
    return collection;
  }
}

const pieceBytes = 65_536;

/** A long body is taken over in chunks, and a character that is cut between two of them is lost. */
function textOf(body: Buffer): string {
  let text = "";
  for (let from = 0; from < body.length; from += pieceBytes)
    text += body
      .subarray(from, from + pieceBytes)
      .toString()
      .replaceAll("\uFFFD", "");
  return text;
}

function refusalOf(mishap: Mishap | null, isAllowed: boolean, { body }: DoubleRequest): Answer | null {
  if (typeof mishap === "object" && mishap !== null && "lines" in mishap) {
    return ok(
      body
        .split("\n")
        .map(() => JSON.stringify({ code: mishap.lines, error: "refused", success: false }))
        .join("\n"),
    );
  }
  if (typeof mishap === "object" && mishap !== null)
    return { status: mishap.status, body: { message: "Not Ready or Lagging" } };
  return isAllowed
    ? null
    : { status: 401, body: { message: "Forbidden - a valid `x-typesense-api-key` header must be sent." } };
}

const ok = (body: unknown): Answer => ({ status: 200, body });

const exported = (document: Document, included: string | null): object =>
  included === null
    ? document
    : Object.fromEntries(Object.entries(document).filter(([name]) => included.split(",").includes(name)));

function describe({ schema, stored, createdAt }: StoredCollection): Record<string, unknown> {
  const options = {
    facet: false,
    index: true,
    infix: false,
    locale: "",
    optional: false,
    sort: false,
    stem: false,
    stem_dictionary: "",
    store: true,
  };
  const isNumber = (type: string): boolean => /^(int|float|bool)/.test(type);
  return {
    created_at: createdAt,
    default_sorting_field: "",
    enable_nested_fields: schema.enable_nested_fields ?? false,
    fields: schema.fields.map((field) => ({
      ...{ ...options, sort: isNumber(field.type) && field.num_dim === undefined },
      ...(field.num_dim !== undefined && { vec_dist: "cosine", hnsw_params: { M: 16, ef_construction: 200 } }),
      ...field,
    })),
    name: schema.name,
    num_documents: stored.size,
    symbols_to_index: [],
    token_separators: [],
  };
}
