import {
  EngineUnavailable,
  type EventBatch,
  type EventSource,
  type SubscriptionRequest,
} from "../../../../projections/ports.js";
import { upcasters as currentUpcasters, type Upcasters } from "../../../events/upcasters.js";
import type { Position } from "../../../shared/position.js";
import type { RecordedEvent as StoredRecord } from "@eventstore/db-client";
import type { RecordedEvent } from "../../../events/domainEvent.js";
import type { StreamName } from "../../../events/streams.js";
import type { DatasourceId } from "../../../shared/ids.js";
import { datasourceIn, isOfDatasource, knownEvent, standInFor } from "../unreadableEvents.js";
import { followLog } from "./followLog.js";
import { Connection, type ConnectionOptions } from "./connection.js";
import { toRecordedEvent, toUnreadEvent } from "./storedEvents.js";
import { StreamNames } from "./streamNames.js";
import { readBefore, readEnd, readForwards } from "./streamReads.js";

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
): EventSource & { close(): Promise<void> } {
  return new EventStoreEventSource(options);
}

class EventStoreEventSource implements EventSource {
  private readonly connection: Connection;
  private readonly names: StreamNames;
  private readonly closing = new AbortController();

  constructor(private readonly options: EventStoreEventSourceOptions) {
    this.names = new StreamNames(options.namespace);
    this.connection = new Connection(options);
  }

  /** The newest event of any tenant: a subscription's positions pass over their events as well. */
  head(): Promise<Position> {
    return readEnd(this.connection);
  }

  /** A subscription can only go on from a place where an event stands. */
  before(position: Position): Promise<Position> {
    return readBefore(this.connection, position);
  }

  async *subscribe(request: SubscriptionRequest): AsyncGenerator<EventBatch, void, void> {
    const { batches = false } = this.options;
    const { after, maxBatchSize } = request;
    const signal = AbortSignal.any([request.signal, this.closing.signal]);
    const filter = { streamPrefixes: request.categories.map((category) => this.names.ofCategory(category)) };
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
        // A stream that was deleted for good ends with an event of the server's own, which passes filters by name.
        if (stream !== null && !record.type.startsWith("$")) events.push(await this.deliver(record, stream));
      }
      yield { events, position, caughtUp };
    }
    if (this.closing.signal.aborted && !request.signal.aborted)
      throw new EngineUnavailable("The event source was closed.");
  }

  /** The event, or its stand-in where it cannot be read. */
  private async deliver(record: StoredRecord, stream: StreamName): Promise<RecordedEvent> {
    try {
      return knownEvent(toRecordedEvent(record, stream, this.options.upcasters ?? currentUpcasters));
    } catch (reason) {
      const datasourceId = isOfDatasource(stream)
        ? (datasourceIn(record.data) ?? (await this.datasourceBefore(record)))
        : null;
      return standInFor(toUnreadEvent(record, stream, reason), datasourceId);
    }
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
