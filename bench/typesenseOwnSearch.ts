import { once } from "node:events";
import { request, type Agent, type IncomingMessage } from "node:http";
import { tokenKey } from "../src/adapters/search/typesense/encoding.js";
import type { HeldTokens } from "../src/readModels/search.js";
import type { PrincipalToken } from "../src/shared/ids.js";
import type { CorpusDocument } from "./corpus.js";

/** A server as the environment names it. */
export interface Server {
  readonly url: string;
  readonly apiKey: string;
}

/** A document, and whose it is. */
export interface OpenDocument extends CorpusDocument {
  readonly tokens: readonly PrincipalToken[];
}

/**
 * A collection as somebody makes it who leaves matching and order to the engine: titles and texts as they are, with
 * the tokens that open them. What its searches take is what the engine takes for a question by itself.
 */
export class OwnSearch {
  constructor(
    private readonly server: Server,
    private readonly collection: string,
  ) {}

  async create(): Promise<void> {
    const fields = [
      { name: "title", type: "string" },
      { name: "text", type: "string" },
      { name: "acl", type: "string[]" },
    ];
    await this.ask("POST", "/collections", JSON.stringify({ name: this.collection, fields }));
  }

  async add(documents: readonly OpenDocument[]): Promise<void> {
    const rows = documents.map(({ id, title, text, tokens }) =>
      JSON.stringify({ id, title, text, acl: tokens.map(tokenKey) }),
    );
    await this.ask("POST", `/collections/${this.collection}/documents/import?action=create`, rows.join("\n"));
  }

  async drop(): Promise<void> {
    await this.ask("DELETE", `/collections/${this.collection}`);
  }

  /** Asks as a person, with the engine's own settings, and receives the answer without a look at it. */
  async search(agent: Agent, query: string, held: HeldTokens): Promise<void> {
    const search = {
      collection: this.collection,
      q: query,
      query_by: "title,text",
      filter_by: `acl:=[${held.tokens.map(tokenKey).join(",")}]`,
      exclude_fields: "text,acl",
    };
    await receive(this.server, agent, Buffer.from(JSON.stringify({ searches: [search] })));
  }

  private async ask(method: string, path: string, body?: string): Promise<void> {
    const { url, apiKey } = this.server;
    const answer = await fetch(url + path, { method, headers: { "x-typesense-api-key": apiKey }, body });
    if (!answer.ok) throw new Error(`Typesense answered ${answer.status}.`);
    await answer.text();
  }
}

/** Sends searches over a connection that is kept open, and receives the answer, without a look at it. */
export async function receive({ url, apiKey }: Server, agent: Agent, body: Buffer): Promise<void> {
  const sent = request(`${url}/multi_search`, {
    method: "POST",
    agent,
    headers: { "x-typesense-api-key": apiKey, "content-length": body.length },
  });
  sent.end(body);
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  answer.resume();
  await once(answer, "end");
  if (answer.statusCode !== 200) throw new Error(`Typesense answered ${answer.statusCode}.`);
}
