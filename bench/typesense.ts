import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { analyse } from "../projections/search/prepareDocuments.js";
import type { SearchReader } from "../queries/ports.js";
import { dropSearchCollections } from "../src/adapters/search/typesense/dropSearchCollections.js";
import { openTypesenseSearchIndexWriter } from "../src/adapters/search/typesense/openTypesenseSearchIndexWriter.js";
import { openTypesenseSearchReader } from "../src/adapters/search/typesense/openTypesenseSearchReader.js";
import type { HeldTokens } from "../src/readModels/search.js";
import { Corpus, seededRandom, type CorpusDocument } from "./corpus.js";
import { atMost, median, percentile, timed, type Measurement } from "./measure.js";
import { fillerOf, groupsFrom, memberOfEach, onFailure, toIndexed, tokenOfGroup } from "./searchCorpus.js";
import { tokenKey } from "../src/adapters/search/typesense/encoding.js";
import type { PrincipalToken } from "../src/shared/ids.js";

const documentCount = 100_000;
const groups = 20_000;
const batchSize = 500;
const queries = 60;
/** How many times what the engine takes by itself a search may take. */
const mostOfOwn = 2;

const filters = { datasources: null, fileTypes: null, modifiedFrom: null, modifiedTo: null };

/**
 * What the adapter adds to the engine: searches through it against the very requests that they send, whose answers are
 * merely received, over a connection that is kept open, in turns; and against what the engine takes for the same
 * question by itself. Skipped where TYPESENSE_URL and TYPESENSE_API_KEY name no server.
 */
export async function measureTypesense(
  rounds: number,
  report: (line: string) => void,
): Promise<readonly Measurement[]> {
  const { TYPESENSE_URL: url, TYPESENSE_API_KEY: apiKey } = process.env;
  if (url === undefined || apiKey === undefined) {
    report("typesense: skipped, TYPESENSE_URL and TYPESENSE_API_KEY name no server");
    return [];
  }
  const [server, namespace] = [{ url, apiKey }, `bench${process.pid}`];
  const own = new OwnSearch(server, `${namespace}_own`);
  await own.create();
  try {
    const corpus = await fill(server, namespace, own);
    const questions = Array.from({ length: queries }, () => `${corpus.text(6)}?`);
    const words = Array.from({ length: queries }, () => `${corpus.text(1)}?`);
    const setting = { server, namespace, own, questions, words: [...new Set(words)], rounds };
    return [
      ...(await measurePerson("a person in 5 groups", memberOfEach(groups / 5, groups), 1, setting)),
      ...(await measurePerson("a person in 5,000 groups", memberOfEach(4, groups), 5, setting)),
    ];
  } finally {
    await own.drop();
    await dropSearchCollections(server, namespace);
  }
}

/** Answers with the corpus whose words were indexed. */
async function fill(server: Server, namespace: string, own: OwnSearch): Promise<Corpus> {
  const corpus = new Corpus(11);
  const random = seededRandom(12);
  const index = await openTypesenseSearchIndexWriter({
    ...server,
    namespace,
    analyse,
    onFailure,
    requestTimeoutMs: 60_000,
  });
  await index.checkpoint();
  const filler = fillerOf(index);
  for (let from = 0; from < documentCount; from += batchSize) {
    const batch = Array.from({ length: batchSize }, (_unused, at) => ({
      ...corpus.document(`d${from + at}`),
      groups: groupsFrom(random, groups),
    }));
    await filler.put(
      batch.map((document) => toIndexed(document, document.groups)),
      new Map(batch.map(({ id, text }) => [id, text])),
    );
    await own.add(batch.map((document) => ({ ...document, tokens: document.groups.map(tokenOfGroup) })));
  }
  await index.close();
  return corpus;
}

interface Setting {
  readonly server: Server;
  readonly namespace: string;
  readonly own: OwnSearch;
  /** Of six words. */
  readonly questions: readonly string[];
  readonly words: readonly string[];
  readonly rounds: number;
}

async function measurePerson(
  name: string,
  held: HeldTokens,
  mostMs: number,
  { server, namespace, own, questions, words, rounds }: Setting,
): Promise<readonly Measurement[]> {
  const requests = await recorded(server, namespace, (reader, query) => ask(reader, query, held), questions);
  const reader = await openTypesenseSearchReader({ ...server, namespace });
  const agent = new Agent({ keepAlive: true, noDelay: true });
  for (const query of questions) await ask(reader, query, held);
  const [ours, bare, alone]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < rounds; round += 1) {
    for (const query of questions) {
      const searched = (): Promise<number> => timed(() => ask(reader, query, held));
      const replayed = (): Promise<number> => timed(() => replay(server, agent, requests.get(query) ?? []));
      if (round % 2 === 0) ours.push(await searched());
      bare.push(await replayed());
      alone.push(await timed(() => own.search(agent, query, held)));
      if (round % 2 === 1) ours.push(await searched());
    }
  }
  const [oneWord, oneWordAlone]: [number[], number[]] = [[], []];
  for (const word of words) await ask(reader, word, held);
  for (let round = 0; round < rounds; round += 1) {
    for (const word of words) {
      oneWord.push(await timed(() => ask(reader, word, held)));
      oneWordAlone.push(await timed(() => own.search(agent, word, held)));
    }
  }
  agent.destroy();
  await reader.close();
  const added = ours.map((took, index) => took - (bare[index] ?? 0));
  const what = `milliseconds that a search through Typesense takes beyond the engine's answers to its requests, ${name}`;
  return [
    {
      name: `${what}, median`,
      ...atMost(mostMs, median(added)),
      ours: inMilliseconds(median(ours)),
      peer: inMilliseconds(median(bare)),
      rounds,
    },
    {
      name: `${what}, p99 of the one less p99 of the other`,
      ...atMost(mostMs, p99(ours) - p99(bare)),
      ours: inMilliseconds(p99(ours)),
      peer: inMilliseconds(p99(bare)),
      rounds,
    },
    ofOwn("six words", name, ours, alone, rounds),
    ofOwn("one word", name, oneWord, oneWordAlone, rounds),
  ];
}

const ofOwn = (
  question: string,
  person: string,
  ours: readonly number[],
  alone: readonly number[],
  rounds: number,
): Measurement => ({
  name: `a search through Typesense ÷ the engine's own of the same ${question}, matched and ordered by it, ${person}`,
  ...atMost(mostOfOwn, median(ours) / median(alone)),
  ours: inMilliseconds(median(ours)),
  peer: inMilliseconds(median(alone)),
  rounds,
});

const p99 = (values: readonly number[]): number => percentile(values, 99);
const inMilliseconds = (value: number): string => `${value.toFixed(2)} ms`;

const ask = (reader: SearchReader, query: string, held: HeldTokens): Promise<unknown> =>
  reader.search({ query, held, filters, count: 10, startPage: 0 });

/** The bodies that each question sends, once everything that is remembered is remembered. */
async function recorded(
  { url, apiKey }: Server,
  namespace: string,
  search: (reader: SearchReader, query: string) => Promise<unknown>,
  questions: readonly string[],
): Promise<ReadonlyMap<string, readonly Buffer[]>> {
  let sent: Buffer[] = [];
  const forwarder = createServer(async (incoming, response) => {
    const body = await bodyOf(incoming);
    const path = incoming.url ?? "";
    if (path.startsWith("/multi_search")) sent.push(body);
    const answer = await fetch(url + path, {
      method: incoming.method,
      headers: { "x-typesense-api-key": apiKey },
      body: body.length === 0 ? undefined : body,
    });
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "application/json" });
    response.end(await answer.text());
  });
  forwarder.listen(0, "127.0.0.1");
  await once(forwarder, "listening");
  const reader = await openTypesenseSearchReader({
    url: `http://127.0.0.1:${(forwarder.address() as AddressInfo).port}`,
    apiKey,
    namespace,
  });
  const requests = new Map<string, readonly Buffer[]>();
  for (const query of questions) {
    await search(reader, query);
    sent = [];
    await search(reader, query);
    requests.set(query, [...sent]);
  }
  await reader.close();
  forwarder.close();
  return requests;
}

async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** Sends the requests one after the other and receives the answers, without a look at them. */
async function replay(server: Server, agent: Agent, bodies: readonly Buffer[]): Promise<void> {
  for (const body of bodies) await receive(server, agent, body);
}

/** A server as the environment names it. */
interface Server {
  readonly url: string;
  readonly apiKey: string;
}

/** A document, and whose it is. */
interface OpenDocument extends CorpusDocument {
  readonly tokens: readonly PrincipalToken[];
}

/**
 * A collection as somebody makes it who leaves matching and order to the engine: titles and texts as they are, with
 * the tokens that open them. What its searches take is what the engine takes for a question by itself.
 */
class OwnSearch {
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
async function receive({ url, apiKey }: Server, agent: Agent, body: Buffer): Promise<void> {
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
