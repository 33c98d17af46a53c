import { setImmediate as nextTurn } from "node:timers/promises";
import type { BrowsedStretch, BrowseRequest } from "../../../events/browsableLog.js";
import type { RecordedEvent } from "../../../events/domainEvent.js";
import type { StreamName } from "../../../events/streams.js";
import { toPosition, type Position } from "../../../shared/position.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import { firstRevision, revisionStretches } from "../revisions.js";
import { codeOfCategory } from "./logSchema.js";
import { eventColumns, type EventRow } from "./recordedEvents.js";

/** How many rows are passed over before others get their turn. */
const window = 16_384;

type Deliver = (row: EventRow) => RecordedEvent;

/** Looks through the log, or through one stream of it. */
export function browseLog(
  database: SqliteDatabase,
  deliver: Deliver,
  request: BrowseRequest,
): AsyncIterable<BrowsedStretch> {
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
