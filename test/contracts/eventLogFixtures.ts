import { createHash, randomUUID } from "node:crypto";
import { expect } from "chai";
import type { AppendOutcome, AppendRequest, EventLog, NewContent, NewEvent } from "../../commands/ports.js";
import type {
  BytesReader,
  ContentEraser,
  ContentKey,
  ContentReader,
  EventBatch,
  EventSource,
} from "../../projections/ports.js";
import type { BrowsableLog } from "../../src/events/eventSelection.js";
import type { DomainEvent, RecordedEvent } from "../../src/events/domainEvent.js";
import { documentStream, streamCategories, userStream, type StreamCategory } from "../../src/events/streams.js";
import { newDatasourceId, toDatasourceName, toDocumentId, toEmail, type DatasourceId } from "../../src/shared/ids.js";
import { beginning, type ExpectedRevision, type Position } from "../../src/shared/position.js";

/** What an adapter of the event log provides, in a fresh log of its own. */
export interface EventLogUnderTest {
  readonly log: EventLog;
  readonly source: EventSource & BrowsableLog;
  readonly contents: ContentReader & BytesReader & ContentEraser;
  /** Closes everything and opens the same log again. */
  reopen(): Promise<EventLogUnderTest>;
  /** Closes everything and removes the log. */
  close(): Promise<void>;
}

export const datasourceId = newDatasourceId();
export const alice = userStream(datasourceId, toEmail("alice@example.org"));
export const bob = userStream(datasourceId, toEmail("bob@example.org"));

/** An event whose text can be told from others. */
export const renamed = (name: string): DomainEvent => ({
  type: "UserRenamed",
  data: { datasourceId, email: toEmail("alice@example.org"), name },
});

export function newEvent(event: DomainEvent = renamed("Alice")): NewEvent {
  const metadata = {
    at: "2024-05-01T10:00:00.000Z",
    by: "operator",
    correlationId: randomUUID(),
    causationId: randomUUID(),
  } as const;
  return { id: randomUUID(), event, metadata };
}

export const newEvents = (...names: readonly string[]): NewEvent[] => names.map((name) => newEvent(renamed(name)));

/** Appends and demands that it was accepted. */
export async function appended(
  log: EventLog,
  request: AppendRequest,
): Promise<Extract<AppendOutcome, { kind: "appended" }>> {
  const outcome = await log.append(request);
  if (outcome.kind === "conflict")
    expect.fail(`${request.stream} is at ${outcome.actualRevision}, not at ${request.expectedRevision}`);
  if (outcome.kind === "tooLarge") expect.fail(`${outcome.bytes} bytes are more than ${outcome.maxBytes}`);
  return outcome;
}

/** Appends events with these names to alice's stream. */
export const rename = (log: EventLog, expectedRevision: ExpectedRevision, ...names: readonly string[]) =>
  appended(log, { stream: alice, expectedRevision, events: newEvents(...names) });

export const nameOf = ({ event }: RecordedEvent): string =>
  event.type === "UserRenamed" ? event.data.name : event.type;

export const namesOf = (events: readonly RecordedEvent[]): string[] => events.map(nameOf);

export interface Reading {
  readonly after?: Position;
  readonly categories?: readonly StreamCategory[];
  readonly maxBatchSize?: number;
}

/** Subscribes until `enough` says so of the batches delivered so far. */
export async function batchesUntil(
  source: EventSource,
  enough: (batches: readonly EventBatch[]) => boolean,
  { after = beginning, categories = streamCategories, maxBatchSize = 100 }: Reading = {},
): Promise<EventBatch[]> {
  const abort = new AbortController();
  const batches: EventBatch[] = [];
  for await (const batch of source.subscribe({ after, categories, maxBatchSize, signal: abort.signal })) {
    batches.push(batch);
    if (enough(batches)) abort.abort();
  }
  return batches;
}

/** Everything that is in the log, as a subscription delivers it. */
export const batchesToEnd = (source: EventSource, reading?: Reading): Promise<EventBatch[]> =>
  batchesUntil(source, (batches) => batches.at(-1)?.caughtUp === true, reading);

export const eventsOf = (batches: readonly EventBatch[]): RecordedEvent[] =>
  batches.flatMap(({ events }) => [...events]);

export function newContent(
  text: string,
  documentId: string,
  datasource: DatasourceId = datasourceId,
): NewContent & { readonly text: string } {
  const bytes = Buffer.from(text, "utf8");
  const reference = { sha256: createHash("sha256").update(bytes).digest("hex"), bytes: bytes.length };
  return {
    stream: documentStream(datasource, toDocumentId(documentId)),
    datasource: toDatasourceName("wiki"),
    reference,
    text,
  };
}

export const keyOf = ({ stream, reference }: NewContent): ContentKey => ({ stream, reference });
