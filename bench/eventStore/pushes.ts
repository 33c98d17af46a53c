import { randomUUID } from "node:crypto";
import { binaryEvent, EventStoreDBClient, jsonEvent, NO_STREAM } from "@eventstore/db-client";
import { createCommands } from "../../commands/createCommands.js";
import { openEventStoreEventLog } from "../../src/adapters/log/eventstoredb/openEventStoreEventLog.js";
import { Corpus, type CorpusDocument } from "../corpus.js";
import { atLeast, interleave, median, timed, type Measurement } from "../measure.js";
import { datasource, inFlight, toCommand, toEvent, type Target } from "./target.js";

const documentCount = 10_000;
const clients = 32;
const documentsPerPush = 25;

/**
 * A push of a document is two appends, its text and its event, in this order. The peer makes the same appends as the
 * client makes them by itself, on its batch path, and without reading what it decides on.
 */
export async function measurePushes(target: Target, rounds: number): Promise<Measurement> {
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
