import type { RecordedEvent as StoredRecord } from "@eventstore/db-client";
import {
  EngineUnavailable,
  type EventBatch,
  type EventSource,
  type SubscriptionRequest,
} from "../../../../projections/ports.js";
import { upcasters as currentUpcasters, type Upcasters } from "../../../events/upcasters.js";
import { beginning, type Position } from "../../../shared/position.js";
import type { BrowsableLog, BrowsedStretch, BrowseRequest } from "../../../events/eventSelection.js";
import type { RecordedEvent } from "../../../events/domainEvent.js";
import { readUpTo, landmarkUpTo, type Checkpoint, type Landmark } from "../../../events/eventSource.js";
import { type StreamCategory, type StreamName, categoryOf } from "../../../events/streams.js";
import type { DatasourceId } from "../../../shared/ids.js";
import { datasourceIn, isOfDatasource, knownEvent, standInFor } from "../unreadableEvents.js";
import { followLog, catchUpWindow, LogSubscription } from "./followLog.js";
import { Connection, type ConnectionOptions } from "./connection.js";
import { positionOf, toRecordedEvent, toUnreadEvent } from "./storedEvents.js";
import { StreamNames } from "./streamNames.js";
import { hidesEvents, readAt, readBefore, readEnd, readForwards, readNewest, readFrom, read } from "./streamReads.js";
import { firstRevision, revisionStretches } from "../revisions.js";
import { isForeignPosition } from "./failures.js";

interface EventStoreEventSourceOptions extends ConnectionOptions {
  readonly namespace: string;
  readonly upcasters?: Upcasters;
  /**
   * True where no answer waits for the events that are delivered here: then the events of a busy log gather a little
   * longer.
   */
  readonly batches?: boolean;
}

/**
 * The log as projections see it, usable in any thread and process. Connects on first use. Each subscription has a
 * connection of its own, on which a slow projection holds up nobody else. A subscription survives a restart of the
 * server and a change of the leader. It throws `EngineUnavailable` where the server stays away for longer than
 * `patienceMs`. It throws at once, with a sentence that says what to do, where its position is not in the log of this
 * server.
 */
export function openEventStoreEventSource(
  options: EventStoreEventSourceOptions,
): EventSource & BrowsableLog & { close(): Promise<void> } {
  return new EventStoreEventSource(options);
}

class EventStoreEventSource implements EventSource, BrowsableLog {
  private readonly connection: Connection;
  private readonly names: StreamNames;
  private readonly closing = new AbortController();
  private readonly proofs: CheckpointProofs;

  constructor(private readonly options: EventStoreEventSourceOptions) {
    this.names = new StreamNames(options.namespace);
    this.connection = new Connection(options);
    this.proofs = new CheckpointProofs(this.connection, this.names, this.closing.signal);
  }

  /** The newest event of any tenant: a subscription's positions pass over their events as well. */
  head(): Promise<Position> {
    return readEnd(this.connection);
  }

  holds(checkpoint: Checkpoint, categories: readonly StreamCategory[]): Promise<boolean> {
    return this.proofs.holds(checkpoint, categories);
  }

  /** A subscription can only go on from a place where an event stands. */
  before(position: Position): Promise<Position> {
    return readBefore(this.connection, position);
  }

  async *subscribe(request: SubscriptionRequest): AsyncGenerator<EventBatch, void, void> {
    const { batches = false } = this.options;
    const { after, maxBatchSize } = request;
    const signal = AbortSignal.any([request.signal, this.closing.signal]);
    const landmarks = new PassedLandmarks(this.connection, this.names, after);
    const filter = { streamPrefixes: this.names.prefixesOf(request.categories) };
    for await (const { records, position, caughtUp } of followLog({
      connection: this.options,
      filter,
      after,
      maxBatchSize,
      batches,
      signal,
    })) {
      const events: RecordedEvent[] = [];
      for (const record of records) {
        const stream = this.names.parse(record.streamId);
        const event = stream === null ? await this.deliverLoss(record) : await this.deliver(record, stream);
        if (event !== null) events.push(event);
      }
      const landmark = await landmarks.upTo(position, events);
      yield { events, position, caughtUp, ...(landmark !== null && { landmark }) };
    }
    if (this.closing.signal.aborted && !request.signal.aborted)
      throw new EngineUnavailable("The event source was closed.");
  }

  browse(request: BrowseRequest): AsyncIterable<BrowsedStretch> {
    const server = {
      ...{ connection: this.connection, names: this.names },
      deliver: (record: StoredRecord, stream: StreamName) => this.deliver(record, stream),
    };
    if (request.stream !== null) return browseStream(server, request.stream, request);
    return request.order === "backwards" ? browseBackwards(server, request) : this.browseForwards(request);
  }

  /** Reads the log by a subscription: the server leaves out the events of other streams. */
  private async *browseForwards({ start, categories, maxBatchSize }: BrowseRequest): AsyncGenerator<BrowsedStretch> {
    const upTo = await this.head();
    const position = start?.position ?? beginning;
    const after = start?.inclusive === true ? await this.before(position) : position;
    for await (const stretch of readUpTo({ log: this, after, upTo, categories, maxBatchSize })) {
      const events = stretch.events.filter((event) => start?.inclusive !== true || event.position >= position);
      yield { events, position: stretch.position };
    }
  }

  /** The event, or its stand-in where it cannot be read. */
  private async deliver(record: StoredRecord, stream: StreamName): Promise<RecordedEvent> {
    try {
      if (record.type === tombstone) throw deletedFromOutside(stream);
      return knownEvent(toRecordedEvent(record, stream, this.options.upcasters ?? currentUpcasters));
    } catch (reason) {
      const datasourceId = isOfDatasource(stream)
        ? (datasourceIn(record.data) ?? (await this.datasourceBefore(record)))
        : null;
      return standInFor(toUnreadEvent(record, stream, reason), datasourceId);
    }
  }

  /** What stands for a stream of which events are hidden; null where none are, or none any more. */
  private async deliverLoss(record: StoredRecord): Promise<RecordedEvent | null> {
    const stream = this.names.parseMetadata(record.streamId);
    if (stream === null || !(await hidesEvents(this.connection, this.names.of(stream)))) return null;
    return standInFor(toUnreadEvent(record, stream, deletedFromOutside(stream)), null);
  }

  /** The incarnation that the newest event before it in its stream names. */
  private async datasourceBefore({ streamId, revision }: StoredRecord): Promise<DatasourceId | null> {
    if (revision === 0n) return null;
    const before = await readForwards(this.connection, streamId, { fromRevision: 0, maxCount: Number(revision) });
    return before.reduce<DatasourceId | null>((known, { data }) => datasourceIn(data) ?? known, null);
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.connection.close();
  }
}

/**
 * How a stream ends that was deleted for good: an event of the server's own, which passes filters by name. Nobody but
 * somebody from outside deletes streams of events, so what it told is not known any more.
 */
const tombstone = "$streamDeleted";

const deletedFromOutside = (stream: StreamName): Error =>
  new Error(`Stream ${stream} was deleted in the event store, from outside. Restore it.`);

/** So many bytes of the log may lie between a checkpoint and its landmark: looking through them takes a moment. */
const landmarkDistance = 16n * 1024n * 1024n;

/**
 * The landmarks of one subscription. What it passes over, the server tells by position alone, so a projection with few
 * events would have none for long. The first landmark is the namespace's own first event, and now and then the event at
 * the checkpoint is read, and taken where it is one of ours: those of others may be scavenged.
 */
class PassedLandmarks {
  private lookedAt: Position;
  /** Where a subscription goes on, a newer landmark is known. */
  private lacksFirst: boolean;

  constructor(
    private readonly connection: Connection,
    private readonly names: StreamNames,
    after: Position,
  ) {
    this.lookedAt = after;
    this.lacksFirst = after === beginning;
  }

  /** Null where none is known beyond those of the events. */
  async upTo(position: Position, events: readonly Landmark[]): Promise<Landmark | null> {
    const newest = landmarkUpTo(events, position);
    if (newest !== null) {
      this.lookedAt = position;
      this.lacksFirst = false;
      return null;
    }
    if (this.lacksFirst) return this.claimUpTo(position);
    if (position - this.lookedAt < landmarkDistance) return null;
    this.lookedAt = position;
    const record = await readAt(this.connection, position);
    if (record === null || this.names.parse(record.streamId) === null) return null;
    return { position, id: record.id };
  }

  private async claimUpTo(position: Position): Promise<Landmark | null> {
    const [claim] = await readForwards(this.connection, this.names.claim, { fromRevision: 0, maxCount: 1 });
    if (claim === undefined || positionOf(claim) > position) return null;
    this.lacksFirst = false;
    return { position: positionOf(claim), id: claim.id };
  }
}

/** What looking through the log needs of the event source. */
interface BrowsedServer {
  readonly connection: Connection;
  readonly names: StreamNames;
  deliver(record: StoredRecord, stream: StreamName): Promise<RecordedEvent>;
}

/**
 * Looks through all streams from the newest event on. The server's own filters follow the log forwards alone, so events
 * of others and the texts beside events are passed over here.
 */
async function* browseBackwards(
  server: BrowsedServer,
  { start, categories, maxBatchSize }: BrowseRequest,
): AsyncGenerator<BrowsedStretch, void, void> {
  const { connection } = server;
  const isWanted = (stream: StreamName): boolean => categories.includes(categoryOf(stream));
  let before = start?.position ?? null;
  if (start?.inclusive === true) {
    const record = await readAt(connection, start.position);
    if (record !== null) yield { events: await delivered([record], server, isWanted), position: start.position };
  }
  for (;;) {
    const records = await readBackwards(connection, before, maxBatchSize);
    const last = records.at(-1);
    if (last === undefined) return;
    before = positionOf(last);
    yield { events: await delivered(records, server, isWanted), position: before };
  }
}

/** Empty where no event ever stood at the position. */
const readBackwards = (
  connection: Connection,
  before: Position | null,
  maxCount: number,
): Promise<readonly StoredRecord[]> =>
  connection.insist("Reading the event log backwards", async (deadlineMs) => {
    try {
      return (await read(connection, { allBefore: before, maxCount }, deadlineMs)) ?? [];
    } catch (error) {
      if (isForeignPosition(error)) return [];
      throw error;
    }
  });

/** Looks through one stream. Which revision a position is at is found by halves. */
async function* browseStream(
  server: BrowsedServer,
  stream: StreamName,
  { order, start, maxBatchSize }: BrowseRequest,
): AsyncGenerator<BrowsedStretch, void, void> {
  const { connection, names } = server;
  const name = names.of(stream);
  const newest = await readNewest(connection, name);
  if (newest === null) return;
  const count = Number(newest.revision) + 1;
  const positionAt = async (fromRevision: number): Promise<Position> => {
    const [record] = await readForwards(connection, name, { fromRevision, maxCount: 1 });
    return record === undefined ? beginning : positionOf(record);
  };
  const from = await firstRevision(start, order, count, positionAt);
  for (const stretch of revisionStretches({ order, from, count }, maxBatchSize)) {
    const maxCount = stretch.to - stretch.from;
    const records = await readForwards(connection, name, { fromRevision: stretch.from, maxCount });
    const ordered = order === "forwards" ? records : records.toReversed();
    const last = ordered.at(-1);
    if (last === undefined) return;
    yield { events: await delivered(ordered, server, () => true), position: positionOf(last) };
  }
}

async function delivered(
  records: readonly StoredRecord[],
  { names, deliver }: BrowsedServer,
  isWanted: (stream: StreamName) => boolean,
): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for (const record of records) {
    const stream = names.parse(record.streamId);
    if (stream !== null && isWanted(stream)) events.push(await deliver(record, stream));
  }
  return events;
}

/**
 * Says that between a landmark and a later event, of any writer, no event of some categories stands. As long as that
 * later event stands where it stood, this is the same log up to there, and the proof holds.
 */
interface Proof {
  readonly landmarkId: string;
  readonly upTo: Landmark;
}

/**
 * Whether the log on the server is the one that was followed up to checkpoints. This is asked every second for each
 * read model, so no stretch of the log is looked through twice: what was proven is remembered.
 */
class CheckpointProofs {
  private readonly proofs = new Map<string, Proof>();

  constructor(
    private readonly connection: Connection,
    private readonly names: StreamNames,
    private readonly closing: AbortSignal,
  ) {}

  /** The same as `EventSource.holds`. */
  async holds({ position, landmark }: Checkpoint, categories: readonly StreamCategory[]): Promise<boolean> {
    if (position === beginning) return true;
    if (landmark === null) return position <= (await readEnd(this.connection));
    const subject = categories.join();
    const proven = (await this.provenBefore(subject, position, landmark)) ?? (await this.found(landmark));
    if (proven === null) return false;
    if (proven >= position) return true;
    const next = await readFrom(this.connection, position);
    // Nobody could follow the log from a place where none of its events ever stood.
    if (next === null || (await this.hasAny(categories, proven, position))) return false;
    // An event of somebody else may have been scavenged; then the next look begins further back.
    if (positionOf(next) === position)
      this.proofs.set(subject, { landmarkId: landmark.id, upTo: { position, id: next.id } });
    return true;
  }

  /** Up to where it was proven before, and is still so; null: nowhere. */
  private async provenBefore(subject: string, position: Position, landmark: Landmark): Promise<Position | null> {
    const proof = this.proofs.get(subject);
    if (proof === undefined || proof.landmarkId !== landmark.id || proof.upTo.position > position) return null;
    const event = await readAt(this.connection, proof.upTo.position);
    return event?.id === proof.upTo.id ? proof.upTo.position : null;
  }

  /** Where the landmark stands; null where something else, or nothing, stands there. */
  private async found({ position, id }: Landmark): Promise<Position | null> {
    const event = await readAt(this.connection, position);
    // The server also holds the events of other namespaces, which are other logs.
    return event?.id === id && this.names.owns(event.streamId) ? position : null;
  }

  /** Whether events of these categories come after one position and up to another, which the log has reached. */
  private async hasAny(categories: readonly StreamCategory[], after: Position, upTo: Position): Promise<boolean> {
    const filter = { streamPrefixes: this.names.prefixesOf(categories) };
    return this.connection.insist("Looking through the event log", async (deadlineMs) => {
      const subscription = new LogSubscription(this.connection, { after, filter, window: catchUpWindow, capacity: 1 });
      try {
        return await this.deliversAny(subscription, upTo, deadlineMs);
      } finally {
        await subscription.close();
      }
    });
  }

  /** Fails where the subscription does, and where nothing comes of it for `idleMs`. */
  private async deliversAny(subscription: LogSubscription, upTo: Position, idleMs: number): Promise<boolean> {
    const hasNews = (): boolean => subscription.hasMoved || subscription.isLive;
    for (;;) {
      await subscription.until(() => hasNews() || subscription.failure !== null, idleMs, this.closing);
      if (this.closing.aborted) throw new Error("the event source was closed");
      if (!hasNews()) throw subscription.failure?.error ?? new Error(`nothing arrived within ${idleMs} ms`);
      const { isLive } = subscription;
      const { records, position } = subscription.take(1);
      const [first] = records;
      if (first !== undefined) return positionOf(first) <= upTo;
      if (isLive || position >= upTo) return false;
    }
  }
}
