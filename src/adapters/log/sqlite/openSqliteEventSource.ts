import type { Statement } from "better-sqlite3";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { EventBatch, EventSource, SubscriptionRequest } from "../../../../projections/ports.js";
import type { BrowsableLog, BrowsedStretch, BrowseRequest } from "../../../events/browsableLog.js";
import type { RecordedEvent } from "../../../events/domainEvent.js";
import type { Checkpoint, Landmark } from "../../../events/landmark.js";
import type { StreamCategory } from "../../../events/streams.js";
import { upcasters as currentUpcasters, type Upcasters } from "../../../events/upcasters.js";
import { delay } from "../../../shared/delay.js";
import type { DatasourceId } from "../../../shared/ids.js";
import { toPosition, type Position } from "../../../shared/position.js";
import { ChangeSignal } from "../../sqlite/changeSignal.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import { batchingDelay } from "../batchingDelay.js";
import { browseLog } from "./browseLog.js";
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
}: SqliteEventSourceOptions): EventSource & BrowsableLog & { close(): void } {
  return new SqliteEventSource(file, upcasters, batches);
}

class SqliteEventSource implements EventSource, BrowsableLog {
  private readonly database: SqliteDatabase;
  private readonly changed: ChangeSignal;
  private readonly selectHead: Statement<[], readonly [position: number, id: string]>;
  private readonly selectId: Statement<[number], string>;

  constructor(
    private readonly file: string,
    private readonly upcasters: Upcasters,
    private readonly batches: boolean,
  ) {
    this.database = openLogForReading(file);
    this.changed = new ChangeSignal(file);
    this.selectHead = this.database
      .prepare<[], readonly [number, string]>("SELECT position, id FROM events ORDER BY position DESC LIMIT 1")
      .raw();
    this.selectId = this.database.prepare<[number], string>("SELECT id FROM events WHERE position = ?").pluck();
  }

  async head(): Promise<Position> {
    return this.readHead().position;
  }

  async holds({ position, landmark }: Checkpoint, categories: readonly StreamCategory[]): Promise<boolean> {
    const head = this.readHead();
    if (position > head.position) return false;
    if (landmark === null) return true;
    if (this.selectId.get(Number(landmark.position)) !== landmark.id) return false;
    return (
      landmark.position >= position ||
      this.prepareSelect(categories).get(Number(landmark.position), Number(position), 1) === undefined
    );
  }

  async *subscribe(request: SubscriptionRequest): AsyncGenerator<EventBatch, void, void> {
    const { signal } = request;
    const select = this.prepareSelect(request.categories);
    let position = Number(request.after);
    this.refuseBeyondEnd(request.after);
    for (let first = true; !signal.aborted && this.database.open; first = false) {
      const head = this.readHead();
      if (Number(head.position) === position && !first) {
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

  browse(request: BrowseRequest): AsyncIterable<BrowsedStretch> {
    return browseLog(this.database, (row) => this.deliver(row), request);
  }

  close(): void {
    this.changed.close();
    this.database.close();
  }

  private readBatch(
    select: SelectEvents,
    from: { readonly position: number; readonly head: Landmark; readonly limit: number },
  ): EventBatch {
    const headPosition = Number(from.head.position);
    const end = Math.min(headPosition, from.position + scanWindow);
    const rows = select.all(from.position, end, from.limit);
    const lastRow = rows.length === from.limit ? rows.at(-1) : undefined;
    const position = lastRow === undefined ? end : lastRow[0];
    const events = rows.map((row) => this.deliver(row));
    const caughtUp = position === headPosition;
    const id = lastRow?.[3] ?? (caughtUp ? from.head.id : this.selectId.get(position));
    const landmark = id === undefined || position === 0 ? {} : { landmark: { position: toPosition(position), id } };
    return { events, position: toPosition(position), caughtUp, ...landmark };
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

  private refuseBeyondEnd(after: Position): void {
    const { position } = this.readHead();
    if (after <= position) return;
    throw new Error(`Position ${after} is not in ${this.file}, which ends at ${position}.`);
  }

  /** `beginning`, without an id, for an empty log. */
  private readHead(): Landmark {
    const [position, id] = this.selectHead.get() ?? [0, ""];
    return { position: toPosition(position), id };
  }
}
