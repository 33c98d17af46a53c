import { setImmediate as nextTurn } from "node:timers/promises";
import type { DatasourceName, DocumentId } from "../../src/shared/ids.js";
import { laterOf, type Position } from "../../src/shared/position.js";
import { failed, type Result } from "../../src/shared/result.js";
import type { CommandContext, Written } from "../command.js";
import { findLiveDatasource, type LiveDatasource } from "../datasource/liveDatasource.js";
import type { CommandHandler } from "../handleCommand.js";
import type { Rejection } from "../rejection.js";
import type { CommandServices } from "../services.js";
import { failureMessage } from "./failureMessage.js";
import { handleIndexing } from "./handleIndexing.js";
import type { IndexDocument, IndexedDocument } from "./indexing.js";
import { withdrawIfClosed } from "./withdrawIfClosed.js";

type Found = ReadonlyMap<DatasourceName, Result<LiveDatasource, Rejection>>;
type Indexed = Result<Written<IndexedDocument>, Rejection>;

/** How many documents are decided at once: enough to share commits, few enough not to hold an array in memory twice. */
const maxInFlight = 256;
/** How many documents are started before the event loop gets a turn: about a millisecond's work. */
const startsPerTurn = 32;

/**
 * Indexes an array of documents; an error of one of them becomes its `failed` entry, and the array is never rejected.
 * The answers come in the order given. Of two documents with one id the later is decided after the earlier, as if they
 * were indexed one after the other (spec: Documents, rules 2 to 4).
 */
export async function indexDocuments(
  services: CommandServices,
  documents: readonly IndexDocument[],
  context: CommandContext,
): Promise<Written<readonly IndexedDocument[]>> {
  const { handler } = services;
  const found = await findDatasources(handler, context, documents);
  const indexOne = async (document: IndexDocument): Promise<Indexed> => {
    const live =
      found.get(document.datasource) ?? failed({ type: "DatasourceNotFound", datasource: document.datasource });
    return live.ok ? handleIndexing(services, context, live.value.datasource, document) : live;
  };
  const holdsFiles = documents.some(({ body }) => body.kind === "file");
  const indexed = await startInOrder(documents, holdsFiles ? afterEarlier(indexOne) : indexOne);
  const closed = await withdrawFromClosed(handler, context, found, documents, indexed);
  return summarize(
    documents,
    closed.size === 0 ? indexed : indexed.map((one, index) => refuseIfClosed(one, documents[index], closed)),
    found,
  );
}

/** Each datasource is looked up once: the documents of one request are decided on the same properties and subs. */
async function findDatasources(
  handler: CommandHandler,
  context: CommandContext,
  documents: readonly IndexDocument[],
): Promise<Found> {
  const names = [...new Set(documents.map(({ datasource }) => datasource))];
  return new Map(
    await Promise.all(names.map(async (name) => [name, await findLiveDatasource(handler, context, name)] as const)),
  );
}

/** Lets documents of one id wait for each other: a file takes its time before it is decided. */
function afterEarlier<Value>(start: (document: IndexDocument) => Promise<Value>): typeof start {
  const earlier = new Map<string, Promise<unknown>>();
  return (document) => {
    const id = `${document.datasource}/${document.documentId}`;
    const turn = (earlier.get(id) ?? Promise.resolve()).then(() => start(document));
    earlier.set(id, turn);
    return turn;
  };
}

/**
 * Starts in the order given, which decides documents of one id in that order, and answers in it. Workers take their
 * items one by one: a library that queues every item first would hold up the event loop for a long array. Where one
 * rejects, no other is started.
 */
async function startInOrder<Item, Value>(
  items: readonly Item[],
  start: (item: Item) => Promise<Value>,
): Promise<Value[]> {
  const results: Value[] = [];
  const rest = items.entries();
  let turn = Promise.resolve();
  let isRejected = false;
  const worker = async (): Promise<void> => {
    for (const [index, item] of rest) {
      if (isRejected) return;
      if (index > 0 && index % startsPerTurn === 0) turn = turn.then(() => nextTurn());
      await turn;
      results[index] = await start(item).catch((error: unknown) => {
        isRejected = true;
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(maxInFlight, items.length) }, worker));
  return results;
}

/** The datasources that were deleted meanwhile; what was written to them is withdrawn. */
async function withdrawFromClosed(
  handler: CommandHandler,
  context: CommandContext,
  found: Found,
  documents: readonly IndexDocument[],
  indexed: readonly Indexed[],
): Promise<ReadonlySet<DatasourceName>> {
  const closed = new Set<DatasourceName>();
  for (const [name, live] of found) {
    if (!live.ok) continue;
    const written = documents
      .filter(({ datasource }, index) => datasource === name && isSent(indexed[index]))
      .map(({ documentId }) => documentId);
    if (written.length > 0 && (await withdrawIfClosed(handler, context, live.value.datasource, written)))
      closed.add(name);
  }
  return closed;
}

const isSent = (one: Indexed | undefined): boolean => one?.ok === true && one.value.value.outcome === "sent";

function refuseIfClosed(
  one: Indexed,
  document: IndexDocument | undefined,
  closed: ReadonlySet<DatasourceName>,
): Indexed {
  const isWithdrawn = document !== undefined && closed.has(document.datasource) && isSent(one);
  return isWithdrawn ? failed({ type: "DatasourceNotFound", datasource: document.datasource }) : one;
}

function summarize(
  documents: readonly IndexDocument[],
  indexed: readonly Indexed[],
  found: Found,
): Written<readonly IndexedDocument[]> {
  let position: Position | null = null;
  const see = (seen: Position | null): void => {
    if (seen !== null) position = position === null ? seen : laterOf(position, seen);
  };
  for (const live of found.values()) if (live.ok) see(live.value.position);
  const value = indexed.map((one, index) => {
    if (!one.ok) return failedEntry(documents[index]?.documentId, one.error);
    see(one.value.position);
    return one.value.value;
  });
  return { value, position };
}

const failedEntry = (documentId: DocumentId | undefined, rejection: Rejection): IndexedDocument => ({
  documentId: documentId as DocumentId,
  outcome: "failed",
  message: failureMessage(rejection),
});
