import {
  EngineUnavailable,
  type EventBatch,
  type EventSource,
  type SubscriptionRequest,
} from "../../../../projections/ports.js";
import { upcasters as currentUpcasters, type Upcasters } from "../../../events/upcasters.js";
import { beginning, type Position } from "../../../shared/position.js";
import type { RecordedEvent as StoredRecord } from "@eventstore/db-client";
import type { BrowsableLog, BrowsedStretch, BrowseRequest } from "../../../events/browsableLog.js";
import type { RecordedEvent } from "../../../events/domainEvent.js";
import { readUpTo } from "../../../events/readUpTo.js";
import { landmarkUpTo, type Checkpoint, type Landmark } from "../../../events/landmark.js";
import type { StreamCategory, StreamName } from "../../../events/streams.js";
import type { DatasourceId } from "../../../shared/ids.js";
import { datasourceIn, isOfDatasource, knownEvent, standInFor } from "../unreadableEvents.js";
import { browseBackwards, browseStream } from "./browseLog.js";
import { CheckpointProofs } from "./checkpointProofs.js";
import { followLog } from "./followLog.js";
import { Connection, type ConnectionOptions } from "./connection.js";
import { positionOf, toRecordedEvent, toUnreadEvent } from "./storedEvents.js";
import { StreamNames } from "./streamNames.js";
import { hidesEvents, readAt, readBefore, readEnd, readForwards } from "./streamReads.js";

export interface EventStoreEventSourceOptions extends ConnectionOptions {
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

  /** As subscriptions go: the server leaves out what is of other streams. */
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
    const delivered = landmarkUpTo(events, position);
    if (delivered !== null) {
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
