import { setImmediate as nextTurn } from "node:timers/promises";
import type { DatasourceName, DocumentId } from "../../src/shared/ids.js";
import { laterOf, type Position } from "../../src/shared/position.js";
import { failed, type Result } from "../../src/shared/result.js";
import type { CommandContext, Commands, IndexDocument, IndexedDocument, Written } from "../commands.js";
import { findLiveDatasource, type LiveDatasource } from "../datasource/liveDatasource.js";
import type { CommandHandler } from "../handleCommand.js";
import type { Rejection } from "../rejection.js";
import type { CommandServices } from "../services.js";
import { failureMessage } from "./failureMessage.js";
import { handleIndexing } from "./handleIndexing.js";
import { withdrawIfClosed } from "./withdrawIfClosed.js";

type Found = ReadonlyMap<DatasourceName, Result<LiveDatasource, Rejection>>;
type Indexed = Result<Written<IndexedDocument>, Rejection>;

/** So many documents are under way at once, so that they share commits without being held in memory twice. */
const maxInFlight = 256;
/** About a millisecond's work. */
const startsPerTurn = 32;

/**
 * Indexes an array of documents. The answers come in the order given, and of one id the later document is decided after
 * the earlier: as if one were indexed after the other (spec: Documents, rules 2 to 4).
 */
export const createIndexDocuments =
  ({ handler }: CommandServices): Commands["indexDocuments"] =>
  async (documents, context) => {
    const found = await findDatasources(handler, context, documents);
    const indexed = await startInOrder(documents, (document) => {
      const live =
        found.get(document.datasource) ?? failed({ type: "DatasourceNotFound", datasource: document.datasource });
      return live.ok ? handleIndexing(handler, context, live.value.datasource, document) : live;
    });
    const closed = await withdrawFromClosed(handler, context, found, documents, indexed);
    return summarize(
      documents,
      closed.size === 0 ? indexed : indexed.map((one, index) => refuseIfClosed(one, documents[index], closed)),
      found,
    );
  };

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

/**
 * Starts in the order given, which is what orders documents of one id, and answers in it. The event loop gets its
 * turns.
 */
async function startInOrder<Item, Value>(
  items: readonly Item[],
  start: (item: Item) => Value | Promise<Value>,
): Promise<Value[]> {
  const results: Value[] = [];
  const rest = items.entries();
  const turn = { started: 0, isOver: Promise.resolve() };
  const worker = async (): Promise<void> => {
    for (;;) {
      while (turn.started === startsPerTurn) await turn.isOver;
      const next = rest.next();
      if (next.done === true) return;
      if (++turn.started === startsPerTurn) turn.isOver = nextTurn().then(() => void (turn.started = 0));
      const [index, item] = next.value;
      results[index] = await start(item);
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
