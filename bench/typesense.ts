import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { analyse } from "../projections/search/prepareDocuments.js";
import { aliasName } from "../src/adapters/search/typesense/schema.js";
import type { SearchReader } from "../queries/ports.js";
import { dropSearchCollections } from "../src/adapters/search/typesense/collections.js";
import { tokenKey } from "../src/adapters/search/typesense/encoding.js";
import { openTypesenseSearchIndexWriter } from "../src/adapters/search/typesense/openTypesenseSearchIndexWriter.js";
import { openTypesenseSearchReader } from "../src/adapters/search/typesense/openTypesenseSearchReader.js";
import type { HeldTokens } from "../src/readModels/search.js";
import type { PrincipalToken } from "../src/shared/ids.js";
import { seededRandom, type CorpusDocument } from "./corpus.js";
import { atLeast, atMost, median, percentile, timed, type Measurement } from "./measure.js";
import { questionsFrom, realDocuments } from "./realTexts.js";
import { fillerOf, groupsFrom, memberOfEach, onFailure, toIndexed, tokenOfGroup } from "./searchCorpus.js";

const documentCount = 100_000;
const groups = 20_000;
const batchSize = 500;
/** So many documents are measured at a time: in a catch-up one batch is analysed while another is written. */
const blockSize = 5_000;
/** Asked of each of two people: 2,000 in all. */
const questionCount = 1_000;
const suggestionCount = 300;
/**
 * What a search may take, compared with the engine's own of the same words: at the median, at p99, and a suggestion.
 */
const bars = { median: 2, p99: 3, suggestion: 1.5, import: 0.5, memory: 2, slowestMs: 300 } as const;

const filters = { datasources: null, fileTypes: null, modifiedFrom: null, modifiedTo: null };

/**
 * Searches through the adapter, in turns with the engine's own answer to the same words and the same filter, over texts
 * of real words: each question once, by two people. Skipped where TYPESENSE_URL and TYPESENSE_API_KEY name no server,
 * or TYPESENSE_TEXTS no folder of texts.
 */
export async function measureTypesense(
  _rounds: number,
  report: (line: string) => void,
): Promise<readonly Measurement[]> {
  const { TYPESENSE_URL: url, TYPESENSE_API_KEY: apiKey, TYPESENSE_TEXTS: texts } = process.env;
  if (url === undefined || apiKey === undefined || texts === undefined) {
    report("typesense: skipped, TYPESENSE_URL, TYPESENSE_API_KEY and TYPESENSE_TEXTS name no server and no texts");
    return [];
  }
  const [server, namespace] = [{ url, apiKey }, `bench${process.pid}`];
  const own = new OwnSearch(server, `${namespace}_own`);
  const documents = realDocuments(texts, documentCount);
  report(`typesense: ${documents.length} documents of real words`);
  await own.create();
  try {
    const filled = await fill(server, namespace, own, documents);
    const setting = { server, namespace, own, documents };
    const few = await measurePerson("a person in 5 groups", memberOfEach(groups / 5, groups), setting, 21);
    const many = await measurePerson("a person in 5,000 groups", memberOfEach(4, groups), setting, 22);
    const all = [...few.took, ...many.took];
    return [
      ...few.measured,
      ...many.measured,
      {
        name: `the 99.9th percentile of ${all.length} questions, in milliseconds`,
        ...atMost(bars.slowestMs, percentile(all, 99.9)),
        ours: inMilliseconds(percentile(all, 99.9)),
        peer: "",
        rounds: 1,
      },
      ...filled,
    ];
  } finally {
    await own.drop();
    await dropSearchCollections(server, namespace);
  }
}

/** Fills both with the same documents, in turns, and copies of our collections with our rows, imported as they are. */
async function fill(
  server: Server,
  namespace: string,
  own: OwnSearch,
  documents: readonly CorpusDocument[],
): Promise<readonly Measurement[]> {
  const random = seededRandom(12);
  const index = await openTypesenseSearchIndexWriter({
    ...{ ...server, namespace, analyse, onFailure, requestTimeoutMs: 60_000 },
  });
  await index.checkpoint();
  const copies = await RowCopies.of(server, `${aliasName(namespace)}_`);
  const filler = fillerOf(index, true);
  const memory = { ours: 0, own: 0 };
  const took = { ours: 0, own: 0, rows: 0 };
  for (let from = 0; from < documents.length; from += blockSize) {
    const block = documents
      .slice(from, from + blockSize)
      .map((document) => ({ ...document, groups: groupsFrom(random, groups) }));
    const reached = await index.checkpoint();
    const before = await own.memory();
    took.ours += await timed(async () => {
      for (const batch of batchesOf(block))
        await filler.put(
          batch.map((document) => toIndexed(document, document.groups)),
          new Map(batch.map(({ id, text }) => [id, text])),
        );
      await index.checkpoint();
    });
    const between = await own.memory();
    for (const batch of batchesOf(block))
      took.own += await own.add(batch.map((document) => ({ ...document, tokens: document.groups.map(tokenOfGroup) })));
    memory.ours += between - before;
    memory.own += (await own.memory()) - between;
    took.rows += await copies.add(Number(reached));
  }
  await index.close();
  await copies.drop();
  const perSecond = (ms: number): string => `${Math.round((documents.length * 1_000) / ms)} documents/s`;
  const inMegabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;
  const what = "bulk until searchable through Typesense ÷ the engine's own import of the same";
  return [
    {
      name: `${what} rows, which are analysed already`,
      ...atLeast(bars.import, took.rows / took.ours),
      ...{ ours: perSecond(took.ours), peer: perSecond(took.rows), rounds: 1 },
    },
    {
      name: `${what} documents, title and text by themselves`,
      ...atLeast(0, took.own / took.ours),
      ...{ ours: perSecond(took.ours), peer: perSecond(took.own), rounds: 1 },
    },
    {
      name: "memory that the documents take in Typesense ÷ that of title and text by themselves",
      ...atMost(bars.memory, memory.ours / memory.own),
      ...{ ours: inMegabytes(memory.ours), peer: inMegabytes(memory.own), rounds: 1 },
    },
  ];
}

const batchesOf = <Row>(rows: readonly Row[]): readonly (readonly Row[])[] =>
  Array.from({ length: Math.ceil(rows.length / batchSize) }, (_, at) =>
    rows.slice(at * batchSize, (at + 1) * batchSize),
  );

interface Setting {
  readonly server: Server;
  readonly namespace: string;
  readonly own: OwnSearch;
  readonly documents: readonly CorpusDocument[];
}

async function measurePerson(
  name: string,
  held: HeldTokens,
  { server, namespace, own, documents }: Setting,
  seed: number,
): Promise<{ readonly measured: readonly Measurement[]; readonly took: readonly number[] }> {
  const reader = await openTypesenseSearchReader({ ...server, namespace, requestTimeoutMs: 60_000 });
  const agent = new Agent({ keepAlive: true, noDelay: true });
  await searchAs(reader, "anything", held);
  const filter = `acl:=[${held.tokens.map(tokenKey).join(",")}]`;
  const inTurns = async (questions: readonly string[], askOurs: (question: string) => Promise<unknown>) => {
    const [ours, alone]: [number[], number[]] = [[], []];
    for (const [at, question] of questions.entries()) {
      if (at % 2 === 0) ours.push(await timed(() => askOurs(question)));
      alone.push(await timed(() => own.search(agent, question, filter)));
      if (at % 2 === 1) ours.push(await timed(() => askOurs(question)));
    }
    return { ours, alone };
  };
  const asked = await inTurns(questionsFrom(documents, questionCount, seed), (question) =>
    searchAs(reader, question, held),
  );
  const beginnings = questionsFrom(documents, suggestionCount, seed + 10).map((question) =>
    question.slice(0, 3 + (question.length % 4)),
  );
  const suggested = await inTurns(beginnings, (query) => reader.suggest({ query, held, count: 8 }));
  agent.destroy();
  await reader.close();
  const what = "a question through Typesense ÷ the engine's own answer to its words";
  const compared = (
    label: string,
    most: number,
    { ours, alone }: { readonly ours: readonly number[]; readonly alone: readonly number[] },
    of: (values: readonly number[]) => number,
  ): Measurement => ({
    name: `${label}, ${name}`,
    ...atMost(most, of(ours) / of(alone)),
    ...{ ours: inMilliseconds(of(ours)), peer: inMilliseconds(of(alone)), rounds: 1 },
  });
  const p99 = (values: readonly number[]): number => percentile(values, 99);
  return {
    took: asked.ours,
    measured: [
      compared(`${what}, medians`, bars.median, asked, median),
      compared(`${what}, p99`, bars.p99, asked, p99),
      compared("suggestions, p99 ÷ the engine's own answer to what was typed", bars.suggestion, suggested, p99),
    ],
  };
}

const inMilliseconds = (value: number): string => `${value.toFixed(1)} ms`;

const searchAs = (reader: SearchReader, query: string, held: HeldTokens): Promise<unknown> =>
  reader.search({ query, held, filters, count: 10, startPage: 0 });

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
    await ask(this.server, "POST", "/collections", JSON.stringify({ name: this.collection, fields }));
  }

  /** Returns how many milliseconds the engine took. */
  async add(documents: readonly OpenDocument[]): Promise<number> {
    const rows = documents.map(({ id, title, text, tokens }) =>
      JSON.stringify({ id, title, text, acl: tokens.map(tokenKey) }),
    );
    const body = rows.join("\n");
    return timed(() =>
      ask(this.server, "POST", `/collections/${this.collection}/documents/import?action=create`, body),
    );
  }

  async drop(): Promise<void> {
    await ask(this.server, "DELETE", `/collections/${this.collection}`);
  }

  /** How many bytes the engine has allocated. */
  async memory(): Promise<number> {
    const metrics = JSON.parse(await ask(this.server, "GET", "/metrics.json")) as Readonly<Record<string, string>>;
    return Number(metrics["typesense_memory_allocated_bytes"]);
  }

  /** Asks as a person, with the engine's own settings, and receives the answer without a look at it. */
  async search(agent: Agent, query: string, filter: string): Promise<void> {
    const search = {
      collection: this.collection,
      q: query,
      query_by: "title,text",
      filter_by: filter,
      exclude_fields: "text,acl",
    };
    await receive(this.server, agent, Buffer.from(JSON.stringify({ searches: [search] })));
  }
}

/** Collections like those of an index, filled with the same rows. */
class RowCopies {
  private constructor(
    private readonly server: Server,
    private readonly names: readonly string[],
  ) {}

  static async of(server: Server, prefix: string): Promise<RowCopies> {
    const all = JSON.parse(await ask(server, "GET", "/collections")) as readonly CollectionSchema[];
    const ours = all.filter(({ name }) => name.startsWith(prefix));
    for (const { name, fields } of ours)
      await ask(server, "POST", "/collections", JSON.stringify({ name: copyOf(name), fields }));
    return new RowCopies(
      server,
      ours.map(({ name }) => name),
    );
  }

  /** Imports what was written behind this position, and returns how many milliseconds the engine took. */
  async add(after: number): Promise<number> {
    let took = 0;
    for (const name of this.names) {
      const filter = `${name.endsWith("_state") ? "v" : "position"}:>${after}`;
      const rows = await ask(
        this.server,
        "GET",
        `/collections/${name}/documents/export?filter_by=${encodeURIComponent(filter)}`,
      );
      const path = `/collections/${copyOf(name)}/documents/import?action=create`;
      for (const batch of batchesOf(rows.split("\n")))
        took += await timed(() => ask(this.server, "POST", path, batch.join("\n")));
    }
    return took;
  }

  async drop(): Promise<void> {
    for (const name of this.names) await ask(this.server, "DELETE", `/collections/${copyOf(name)}`);
  }
}

interface CollectionSchema {
  readonly name: string;
  readonly fields: readonly unknown[];
}

const copyOf = (name: string): string => `copy_of_${name}`;

async function ask({ url, apiKey }: Server, method: string, path: string, body?: string): Promise<string> {
  const answer = await fetch(url + path, { method, headers: { "x-typesense-api-key": apiKey }, body });
  if (!answer.ok) throw new Error(`Typesense answered ${answer.status}.`);
  return answer.text();
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
