import { fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { EventStoreDBClient, streamNameFilter, binaryEvent, jsonEvent, NO_STREAM } from "@eventstore/db-client";
import { type Measurement, atLeast, interleave, median, timed } from "./measure.js";
import type { ProjectionBatch, ProjectionWriter } from "../projections/ports.js";
import { runProjection } from "../projections/runProjection.js";
import type { SearchChange } from "../projections/search/ports.js";
import { searchProjection } from "../projections/search/project.js";
import { openEventStoreEventLog } from "../src/adapters/log/eventstoredb/openEventStoreEventLog.js";
import { openEventStoreEventSource } from "../src/adapters/log/eventstoredb/openEventStoreEventSource.js";
import { documentStream } from "../src/events/streams.js";
import { toDatasourceId, toDocumentId, toDatasourceName } from "../src/shared/ids.js";
import { beginning, type Position } from "../src/shared/position.js";
import { Corpus, type CorpusDocument } from "./corpus.js";
import { createCommands } from "../commands/createCommands.js";
import type { NewEvent } from "../commands/ports.js";
import type { IndexDocument } from "../commands/commands.js";

const peer = fileURLToPath(new URL("peers/eventStorePeer.js", import.meta.url));

/**
 * What this program adds to the client of EventStoreDB: on the server that `EVENTSTORE_URL` names, else on the double
 * that the tests use, in a process of its own.
 */
export async function measureEventStore(
  rounds: number,
  report: (line: string) => void,
): Promise<readonly Measurement[]> {
  const named = process.env["EVENTSTORE_URL"];
  const server =
    named === undefined || named === ""
      ? await forkEventStore()
      : { url: named, kind: "a real server", stop: async () => undefined };
  const target = { ...server, namespace: `bench-${randomUUID()}` };
  try {
    report(`document pushes on ${server.kind}`);
    const pushes = await measurePushes(target, rounds);
    report(`catch-up on ${server.kind}`);
    const catchUp = await measureCatchUp(target, rounds);
    return [catchUp, pushes].map((measurement) => ({ ...measurement, name: `${measurement.name}, on ${server.kind}` }));
  } finally {
    await server.stop();
  }
}

async function forkEventStore(): Promise<{ readonly url: string; readonly kind: string; stop(): Promise<void> }> {
  const child = fork(peer, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const [{ url }] = (await once(child, "message")) as [{ url: string }];
  const stop = async (): Promise<void> => {
    const exit = once(child, "exit");
    child.kill("SIGTERM");
    await exit;
  };
  return { url, kind: "the double", stop };
}

const eventCount = 100_000;
const eventsPerAppend = 250;
const mebibyte = 1024 * 1024;

/** Texts are left out: the bare catch-up does not read them either. */
async function measureCatchUp(target: Target, rounds: number): Promise<Measurement> {
  const own = { ...target, namespace: `${target.namespace}-catch-up` };
  await fill(own);
  const peaks: number[] = [];
  const figures = await interleave(
    rounds,
    () => timed(async () => peaks.push(await project(own))),
    () => timed(() => bareCatchUp(own)),
  );
  const rate = (milliseconds: readonly number[]): number => (eventCount / median(milliseconds)) * 1000;
  return {
    name: `projecting ${eventCount} document events into a search adapter that answers at once ÷ the bare client's catch-up`,
    ...atLeast(0.7, rate(figures.ours) / rate(figures.peer)),
    ours: `${rate(figures.ours).toFixed(0)} events/s, memory at most ${(Math.max(...peaks) / mebibyte).toFixed(0)} MiB more than at the start`,
    peer: `${rate(figures.peer).toFixed(0)} events/s`,
    rounds,
  };
}

async function fill(target: Target): Promise<void> {
  const log = await openEventStoreEventLog(target);
  const corpus = new Corpus(11);
  const appends = Array.from({ length: eventCount / eventsPerAppend }, (_, index) => index);
  await inFlight(4, appends, async (append) => {
    const events = Array.from({ length: eventsPerAppend }, (_, index) =>
      toEvent(corpus.document(`${append}-${index}`), randomUUID()),
    );
    const stream = documentStream(toDatasourceId("bench"), toDocumentId(`${append}`));
    await log.append({ stream, expectedRevision: "noStream", events });
  });
  await log.close();
}

/** Answers how much the memory grew at most. */
async function project(target: Target): Promise<number> {
  const source = openEventStoreEventSource(target);
  const stop = new AbortController();
  const start = process.memoryUsage.rss();
  let [seen, peak] = [0, 0];
  let checkpoint: Position = beginning;
  const writer: ProjectionWriter<SearchChange> = {
    checkpoint: async () => checkpoint,
    apply: async (batch: ProjectionBatch<SearchChange>) => {
      checkpoint = batch.position;
      seen += batch.changes.length;
      peak = Math.max(peak, process.memoryUsage.rss() - start);
      if (seen >= eventCount) stop.abort();
      return "applied";
    },
  };
  const fail = (error: unknown): never => {
    throw new Error("The projection did not run undisturbed.", { cause: error });
  };
  await runProjection({
    projection: searchProjection,
    writer,
    source,
    signal: stop.signal,
    maxBatchSize: 1_000,
    retryDelayMs: 100,
    onParked: fail,
    onFailure: fail,
  });
  await source.close();
  return peak;
}

async function bareCatchUp({ url, namespace }: Target): Promise<void> {
  const client = EventStoreDBClient.connectionString(url);
  const prefixes = searchProjection.categories.map((category) => `${namespace}.${category}-`);
  const subscription = client.subscribeToAll({ filter: streamNameFilter({ prefixes, maxSearchWindow: 1_000 }) });
  let seen = 0;
  for await (const { event } of subscription) {
    if (event !== undefined && ++seen === eventCount) break;
  }
  await client.dispose();
}

const documentCount = 10_000;
const clients = 32;
const documentsPerPush = 25;

/**
 * A push of a document is two appends, its text and its event, in this order. The peer makes the same appends as the
 * client makes them by itself, on its batch path, and without reading what it decides on.
 */
async function measurePushes(target: Target, rounds: number): Promise<Measurement> {
  const log = await openEventStoreEventLog(target);
  const commands = createCommands({ log, productName: "amber", now: () => new Date() });
  const context = { by: "operator", correlationId: "bench", allowedDatasources: null } as const;
  await commands.registerDatasource(
    { name: datasource, displayName: "bench", icon: null, subs: [], objectDefinitions: [] },
    context,
  );
  const client = EventStoreDBClient.connectionString(target.url);
  const corpus = new Corpus(13);
  const documents = Array.from({ length: rounds }, (_, round) =>
    Array.from({ length: documentCount }, (__, index) => corpus.document(`push-${round}-${index}`)),
  );
  const push = async (some: readonly CorpusDocument[]): Promise<void> => {
    const { value } = await commands.indexDocuments(some.map(toCommand), context);
    if (value.some(({ outcome }) => outcome !== "sent")) throw new Error("Not every document was sent.");
  };
  const figures = await interleave(
    rounds,
    (round) => timed(() => inFlight(clients, pagesOf(documents[round] ?? []), push)),
    (round) =>
      timed(() =>
        inFlight(clients * documentsPerPush, documents[round] ?? [], (document) =>
          appendBarely(client, target, document),
        ),
      ),
  );
  await client.dispose();
  await log.close();
  const rate = (milliseconds: readonly number[]): number => (documentCount / median(milliseconds)) * 1000;
  return {
    name: `${documentCount} document pushes by ${clients} clients, ${documentsPerPush} at a time ÷ the client's own appends of the same texts and events, as many in flight`,
    ...atLeast(0.7, rate(figures.ours) / rate(figures.peer)),
    ours: `${rate(figures.ours).toFixed(0)} documents/s`,
    peer: `${rate(figures.peer).toFixed(0)} documents/s`,
    rounds,
  };
}

const pagesOf = (documents: readonly CorpusDocument[]): readonly (readonly CorpusDocument[])[] =>
  Array.from({ length: Math.ceil(documents.length / documentsPerPush) }, (_, page) =>
    documents.slice(page * documentsPerPush, (page + 1) * documentsPerPush),
  );

async function appendBarely(
  client: EventStoreDBClient,
  { namespace }: Target,
  document: CorpusDocument,
): Promise<void> {
  const { event, metadata } = toEvent(document, randomUUID());
  const options = { expectedRevision: NO_STREAM } as const;
  const text = [
    jsonEvent({ type: "TextBegun", data: { chunks: 1, bytes: document.text.length } }),
    binaryEvent({ type: "TextChunk", data: Buffer.from(document.text), metadata: { chunk: 0 } }),
  ];
  await client.appendToStream(`${namespace}-bare.content-${document.id}`, text, options);
  await client.appendToStream(
    `${namespace}-bare.document-${document.id}`,
    jsonEvent({ type: event.type, data: event.data as never, metadata: metadata as never }),
    options,
  );
}

/** A server, and the tenant of one run. */
interface Target {
  readonly url: string;
  readonly namespace: string;
}

const datasource = toDatasourceName("bench");

/** A document as a client pushes it. */
const toCommand = ({ id, title, text }: CorpusDocument): IndexDocument => ({
  datasource,
  documentId: toDocumentId(id),
  title,
  body: { kind: "text", text, mimeType: "text/plain", size: text.length },
  fileType: "file",
  pathPreview: `https://example.org/${id}`,
  path: null,
  author: "bench",
  lastModified: "2024-05-01T10:00:00.000Z",
  sub: null,
  childSub: null,
  access: { anonymous: true, users: [], groups: [] },
  customProperties: [],
});

/** The event that such a push leads to. */
function toEvent({ id, title, text }: CorpusDocument, eventId: string): NewEvent {
  const command = toCommand({ id, title, text });
  return {
    id: eventId,
    event: {
      type: "DocumentIndexed",
      data: {
        datasourceId: toDatasourceId("bench"),
        datasource,
        documentId: command.documentId,
        title,
        content: { sha256: "0".repeat(64), bytes: text.length },
        mimeType: "text/plain",
        size: text.length,
        fileType: "file",
        pathPreview: command.pathPreview,
        path: null,
        author: command.author,
        lastModified: command.lastModified,
        sub: null,
        childSub: null,
        access: { anonymous: true, users: [], groups: [] },
        customProperties: [],
        supersededContent: null,
        widenedToAnonymous: false,
      },
    },
    metadata: { at: "2024-05-01T10:00:00.000Z", by: "operator", correlationId: "bench", causationId: "bench" },
  };
}

/** Works on so many items at a time. */
async function inFlight<Item>(
  count: number,
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<unknown>,
): Promise<void> {
  const rest = items.entries();
  const worker = async (): Promise<void> => {
    for (let next = rest.next(); next.done !== true; next = rest.next()) await work(next.value[1], next.value[0]);
  };
  await Promise.all(Array.from({ length: count }, worker));
}
