import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { analyse } from "../projections/search/prepareDocuments.js";
import type { SearchReader } from "../queries/ports.js";
import { dropSearchCollections } from "../src/adapters/search/typesense/dropSearchCollections.js";
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
/** Asked of each of two people: 2,000 in all. */
const questionCount = 1_000;
const suggestionCount = 300;
/** What a search may take, compared with the engine's own of the same words: at the median, at p99, and a suggestion. */
const bars = { median: 2, p99: 3, suggestion: 1.5, import: 0.5, memory: 2, slowestMs: 300 } as const;

const filters = { datasources: null, fileTypes: null, modifiedFrom: null, modifiedTo: null };

/**
 * Searches through the adapter, in turns with the engine's own answer to the same words and the same filter, over texts
 * of real words: each question once, by two people. Skipped where TYPESENSE_URL and TYPESENSE_API_KEY name no server, or
 * TYPESENSE_TEXTS no folder of texts.
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

/** Fills both with the same documents, in turns. */
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
  const filler = fillerOf(index);
  const memory = { ours: 0, own: 0 };
  let [ours, alone] = [0, 0];
  for (let from = 0; from < documents.length; from += batchSize) {
    const batch = documents
      .slice(from, from + batchSize)
      .map((document) => ({ ...document, groups: groupsFrom(random, groups) }));
    const before = await own.memory();
    ours += await timed(() =>
      filler.put(
        batch.map((document) => toIndexed(document, document.groups)),
        new Map(batch.map(({ id, text }) => [id, text])),
      ),
    );
    const between = await own.memory();
    alone += await timed(() =>
      own.add(batch.map((document) => ({ ...document, tokens: document.groups.map(tokenOfGroup) }))),
    );
    memory.ours += between - before;
    memory.own += (await own.memory()) - between;
  }
  await index.close();
  const perSecond = (ms: number): string => `${Math.round((documents.length * 1_000) / ms)} documents/s`;
  const inMegabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;
  return [
    {
      name: "bulk until searchable through Typesense ÷ the engine's own import of the same documents",
      ...atLeast(bars.import, alone / ours),
      ...{ ours: perSecond(ours), peer: perSecond(alone), rounds: 1 },
    },
    {
      name: "memory that the documents take in Typesense ÷ that of title and text by themselves",
      ...atMost(bars.memory, memory.ours / memory.own),
      ...{ ours: inMegabytes(memory.ours), peer: inMegabytes(memory.own), rounds: 1 },
    },
  ];
}

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
  await ask(reader, "anything", held);
  const filter = `acl:=[${held.tokens.map(tokenKey).join(",")}]`;
  const inTurns = async (questions: readonly string[], search: (question: string) => Promise<unknown>) => {
    const [ours, alone]: [number[], number[]] = [[], []];
    for (const [at, question] of questions.entries()) {
      if (at % 2 === 0) ours.push(await timed(() => search(question)));
      alone.push(await timed(() => own.search(agent, question, filter)));
      if (at % 2 === 1) ours.push(await timed(() => search(question)));
    }
    return { ours, alone };
  };
  const asked = await inTurns(questionsFrom(documents, questionCount, seed), (question) => ask(reader, question, held));
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

const ask = (reader: SearchReader, query: string, held: HeldTokens): Promise<unknown> =>
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

  /** How many bytes the engine has allocated. */
  async memory(): Promise<number> {
    const metrics = JSON.parse(await this.ask("GET", "/metrics.json")) as Readonly<Record<string, string>>;
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

  private async ask(method: string, path: string, body?: string): Promise<string> {
    const { url, apiKey } = this.server;
    const answer = await fetch(url + path, { method, headers: { "x-typesense-api-key": apiKey }, body });
    if (!answer.ok) throw new Error(`Typesense answered ${answer.status}.`);
    return answer.text();
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
