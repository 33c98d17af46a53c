import type { Statement } from "better-sqlite3";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { EventBatch, EventSource, SubscriptionRequest } from "../../../../projections/ports.js";
import type { BrowsableLog, BrowsedStretch, BrowseRequest } from "../../../events/eventSelection.js";
import type { RecordedEvent } from "../../../events/domainEvent.js";
import type { Checkpoint, Landmark } from "../../../events/eventSource.js";
import type { StreamCategory, StreamName } from "../../../events/streams.js";
import { upcasters as currentUpcasters, type Upcasters } from "../../../events/upcasters.js";
import { delay } from "../../../shared/waiting.js";
import type { DatasourceId } from "../../../shared/ids.js";
import { toPosition, type Position } from "../../../shared/position.js";
import { ChangeSignal } from "../../sqlite/changeSignal.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import { batchingDelay } from "../batchingDelay.js";
import { codeOfCategory, openLogForReading } from "./logSchema.js";
import { datasourceIn, isOfDatasource, knownEvent, standInFor } from "../unreadableEvents.js";
import { eventColumns, parsed, toRecordedEvent, toUnreadEvent, type EventRow } from "./recordedEvents.js";
import { firstRevision, revisionStretches } from "../revisions.js";

/**
 * How many positions one look at the log passes over, so that a stretch of other categories blocks no thread for long.
 */
const scanWindow = 16_384;

interface SqliteEventSourceOptions {
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

/** How many rows are passed over before others get their turn. */
const window = 16_384;

type Deliver = (row: EventRow) => RecordedEvent;

/** Looks through the log, or through one stream of it. */
function browseLog(database: SqliteDatabase, deliver: Deliver, request: BrowseRequest): AsyncIterable<BrowsedStretch> {
  return request.stream === null
    ? browseAll(database, deliver, request)
    : browseStream(database, deliver, request.stream, request);
}

async function* browseAll(
  database: SqliteDatabase,
  deliver: Deliver,
  request: BrowseRequest,
): AsyncGenerator<BrowsedStretch, void, void> {
  const { order, start, categories, maxBatchSize: count } = request;
  const isForwards = order === "forwards";
  const wanted = wantedEvents(request);
  const select = database
    .prepare<unknown[], EventRow>(
      `SELECT ${eventColumns} FROM events e CROSS JOIN streams s ON s.id = e.stream
       WHERE e.position >= @low AND e.position <= @high
         AND e.category IN (${categories.map(codeOfCategory).join(", ")}) ${wanted.sql}
       ORDER BY e.position ${isForwards ? "ASC" : "DESC"} LIMIT @count`,
    )
    .raw();
  const head = database.prepare<[], number>("SELECT max(position) FROM events").pluck().get() ?? 0;
  let next = firstOf(start, isForwards, head);
  while (isForwards ? next <= head : next > 0) {
    const edge = isForwards ? Math.min(head, next + window - 1) : Math.max(1, next - window + 1);
    const bounds = { low: Math.min(next, edge), high: Math.max(next, edge) };
    const rows = select.all({ ...wanted.values, ...bounds, count });
    const passed = (rows.length === count ? rows.at(-1)?.[0] : undefined) ?? edge;
    yield { events: rows.map(deliver), position: toPosition(passed) };
    next = isForwards ? passed + 1 : passed - 1;
    await nextTurn();
  }
}

/** The first position that is looked at. */
function firstOf(start: BrowseRequest["start"], isForwards: boolean, head: number): number {
  if (start === null) return isForwards ? 1 : head;
  const step = start.inclusive ? 0 : isForwards ? 1 : -1;
  const first = Number(start.position) + step;
  return isForwards ? Math.max(1, first) : Math.min(head, first);
}

async function* browseStream(
  database: SqliteDatabase,
  deliver: Deliver,
  name: StreamName,
  request: BrowseRequest,
): AsyncGenerator<BrowsedStretch, void, void> {
  const { order, start, maxBatchSize } = request;
  const found = database
    .prepare<[string], readonly [id: number, revision: number]>("SELECT id, revision FROM streams WHERE name = ?")
    .raw()
    .get(name);
  if (found === undefined) return;
  const [stream, revision] = found;
  const positionAt = database
    .prepare<[number, number], number>("SELECT position FROM events WHERE stream = ? AND revision = ?")
    .pluck();
  const positionOf = (at: number): Position => toPosition(positionAt.get(stream, at) ?? 0);
  const wanted = wantedEvents(request);
  const select = database
    .prepare<unknown[], EventRow>(
      `SELECT ${eventColumns} FROM events e CROSS JOIN streams s ON s.id = e.stream
       WHERE e.stream = @stream AND e.revision >= @from AND e.revision < @to ${wanted.sql}
       ORDER BY e.revision ${order === "forwards" ? "ASC" : "DESC"}`,
    )
    .raw();
  const count = revision + 1;
  const from = await firstRevision(start, order, count, positionOf);
  for (const stretch of revisionStretches({ order, from, count }, maxBatchSize)) {
    const events = select.all({ ...wanted.values, ...stretch, stream }).map(deliver);
    yield { events, position: positionOf(order === "forwards" ? stretch.to - 1 : stretch.from) };
    await nextTurn();
  }
}

interface Wanted {
  readonly sql: string;
  readonly values: Readonly<Record<string, string>>;
}

/** Conditions in SQL on an event, as far as it can be told without reading it. */
function wantedEvents({ type, mentioning }: BrowseRequest): Wanted {
  const texts = mentioning.map((text) => JSON.stringify(text).slice(1, -1));
  const holds = texts.map((_text, at) => `instr(e.data, @text${at}) > 0 OR instr(e.metadata, @text${at}) > 0`);
  return {
    sql: `${type === null ? "" : "AND e.type = @type"} ${holds.length === 0 ? "" : `AND (${holds.join(" OR ")})`}`,
    values: {
      ...(type !== null && { type }),
      ...Object.fromEntries(texts.map((text, at) => [`text${at}`, text])),
    },
  };
}
