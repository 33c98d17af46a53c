import type { Statement } from "better-sqlite3";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { EventBatch, EventSource, SubscriptionRequest } from "../../../../projections/ports.js";
import type { RecordedEvent } from "../../../events/domainEvent.js";
import type { StreamCategory } from "../../../events/streams.js";
import { upcasters as currentUpcasters, type Upcasters } from "../../../events/upcasters.js";
import { delay } from "../../../shared/delay.js";
import type { DatasourceId } from "../../../shared/ids.js";
import { toPosition, type Position } from "../../../shared/position.js";
import { ChangeSignal } from "../../sqlite/changeSignal.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import { batchingDelay } from "../batchingDelay.js";
import { codeOfCategory, openLogForReading } from "./logSchema.js";
import { datasourceIn, isOfDatasource, knownEvent, standInFor } from "../unreadableEvents.js";
import { eventColumns, parsed, toRecordedEvent, toUnreadEvent, type EventRow } from "./recordedEvents.js";

/**
 * How many positions one look at the log passes over, so that a stretch of other categories blocks no thread for long.
 */
const scanWindow = 16_384;
export interface SqliteEventSourceOptions {
  readonly file: string;
  readonly upcasters?: Upcasters;
  /**
   * True where no answer waits for the events that are delivered here: then the events of a busy log gather a little
   * longer.
   */
  readonly batches?: boolean;
}

type SelectEvents = Statement<[after: number, upTo: number, limit: number], EventRow>;

/**
 * The embedded log as projections see it, through a read-only connection of its own: usable in any thread and process
 * while others append. New commits of this process are seen at once, those of other processes within 25 ms.
 */
export function openSqliteEventSource({
  file,
  upcasters = currentUpcasters,
  batches = false,
}: SqliteEventSourceOptions): EventSource & { close(): void } {
  return new SqliteEventSource(file, upcasters, batches);
}

class SqliteEventSource implements EventSource {
  private readonly database: SqliteDatabase;
  private readonly changed: ChangeSignal;
  private readonly selectHead: Statement<[], number>;

  constructor(
    private readonly file: string,
    private readonly upcasters: Upcasters,
    private readonly batches: boolean,
  ) {
    this.database = openLogForReading(file);
    this.changed = new ChangeSignal(file);
    this.selectHead = this.database.prepare<[], number>("SELECT ifnull(max(position), 0) FROM events").pluck();
  }

  async head(): Promise<Position> {
    return toPosition(this.readHead());
  }

  async *subscribe(request: SubscriptionRequest): AsyncGenerator<EventBatch, void, void> {
    const { signal } = request;
    const select = this.prepareSelect(request.categories);
    let position = Number(request.after);
    this.refuseForeignCheckpoint(position);
    for (let first = true; !signal.aborted && this.database.open; first = false) {
      const head = this.readHead();
      if (head === position && !first) {
        await this.changed.next(signal);
        continue;
      }
      const batch = this.readBatch(select, { position, head, limit: request.maxBatchSize });
      const delivered = { passed: Number(batch.position) - position, events: batch.events.length };
      position = Number(batch.position);
      yield batch;
      await (batch.caughtUp ? delay(batchingDelay(delivered, this.batches), signal) : nextTurn());
    }
  }

  close(): void {
    this.changed.close();
    this.database.close();
  }

  private readBatch(
    select: SelectEvents,
    from: { readonly position: number; readonly head: number; readonly limit: number },
  ): EventBatch {
    const end = Math.min(from.head, from.position + scanWindow);
    const rows = select.all(from.position, end, from.limit);
    const lastRow = rows.length === from.limit ? rows.at(-1) : undefined;
    const position = lastRow === undefined ? end : lastRow[0];
    const events = rows.map((row) => this.deliver(row));
    return { events, position: toPosition(position), caughtUp: position === from.head };
  }

  /** The event, or its stand-in where it cannot be read. */
  private deliver(row: EventRow): RecordedEvent {
    try {
      return knownEvent(toRecordedEvent(row, this.upcasters));
    } catch (reason) {
      const unread = toUnreadEvent(row, reason);
      const datasourceId = isOfDatasource(unread.stream)
        ? (datasourceIn(unread.data) ?? this.datasourceBefore(unread))
        : null;
      return standInFor(unread, datasourceId);
    }
  }

  /** The incarnation that the newest event before it in its stream names. */
  private datasourceBefore({ stream, revision }: Pick<RecordedEvent, "stream" | "revision">): DatasourceId | null {
    const before = this.database
      .prepare<[string, number], string>(
        "SELECT e.data FROM streams s CROSS JOIN events e ON e.stream = s.id WHERE s.name = ? AND e.revision < ? ORDER BY e.revision DESC",
      )
      .pluck();
    for (const data of before.iterate(stream, revision)) {
      const datasourceId = datasourceIn(parsed(data));
      if (datasourceId !== null) return datasourceId;
    }
    return null;
  }

  /** Matches events before it looks up their stream, so other categories cost no more than the walk over their rows. */
  private prepareSelect(categories: readonly StreamCategory[]): SelectEvents {
    return this.database
      .prepare<[number, number, number], EventRow>(
        `SELECT ${eventColumns} FROM events e CROSS JOIN streams s ON s.id = e.stream
         WHERE e.position > ? AND e.position <= ? AND e.category IN (${categories.map(codeOfCategory).join(", ")})
         ORDER BY e.position LIMIT ?`,
      )
      .raw();
  }

  private refuseForeignCheckpoint(position: number): void {
    const head = this.readHead();
    if (position <= head) return;
    throw new Error(
      `A projection stands at position ${position}, but ${this.file} ends at ${head}: the log was replaced by another or older copy. Delete the read models so that they are rebuilt from it.`,
    );
  }

  private readHead(): number {
    return this.selectHead.get() ?? 0;
  }
}
