import { START, type RecordedEvent as StoredRecord } from "@eventstore/db-client";
import { EngineUnavailable } from "../../../shared/engineUnavailable.js";
import { beginning, type Position, type Revision } from "../../../shared/position.js";
import type { Connection } from "./connection.js";
import { isForeignPosition, StreamTombstoned } from "./failures.js";
import { read, type ReadRequest } from "./readCalls.js";
import { positionOf } from "./storedEvents.js";
import { metadataStream } from "./streamNames.js";

export interface Stretch {
  readonly fromRevision: Revision;
  /** At least one; all events where it is left out. */
  readonly maxCount?: number;
}

/** The events of a stream in order; none where there is no such stream, or where it was deleted. */
export const readForwards = (
  connection: Connection,
  stream: string,
  stretch: Stretch,
): Promise<readonly StoredRecord[]> =>
  readStretch(connection, stream, stretch).then((records) => records ?? [], unlessTombstoned([]));

/**
 * The same of a stream of events, which nobody ever deletes. Where events are missing, because the stream was deleted
 * or cut short from outside, nothing can be decided on what is left: that throws `EngineUnavailable`. A stream that was
 * deleted, but not for good, reads as one that never was, so where there is none the server is asked once more.
 */
export async function readWhole(
  connection: Connection,
  stream: string,
  stretch: Stretch,
): Promise<readonly StoredRecord[]> {
  const gone = (what: string): EngineUnavailable =>
    new EngineUnavailable(`${what} of stream ${stream} was deleted in the event store, from outside: restore it.`);
  const records = await readStretch(connection, stream, stretch).catch((error: unknown) => {
    throw error instanceof StreamTombstoned ? gone("Everything") : error;
  });
  const first = records?.[0];
  if (first !== undefined && first.revision > BigInt(stretch.fromRevision)) throw gone("The beginning");
  const isGone = records === null ? await hidesEvents(connection, stream) : stretch.fromRevision === 0 && !first;
  if (isGone) throw gone("Everything");
  return records ?? [];
}

/** Whether a stream was deleted, but not for good, or cut short, so that stream reads leave events out. */
export async function hidesEvents(connection: Connection, stream: string): Promise<boolean> {
  const { $tb = 0 } = ((await readNewest(connection, metadataStream(stream)))?.data ?? {}) as { readonly $tb?: number };
  return $tb > 0;
}

const unlessTombstoned =
  <Value>(value: Value) =>
  (error: unknown): Value => {
    if (error instanceof StreamTombstoned) return value;
    throw error;
  };

/** Null where there is no such stream, or where it was deleted. Throws `EngineUnavailable` where the server cannot be asked. */
async function readStretch(
  connection: Connection,
  stream: string,
  { fromRevision, maxCount = Number.MAX_SAFE_INTEGER }: Stretch,
): Promise<readonly StoredRecord[] | null> {
  const request = { stream, fromRevision: BigInt(fromRevision), maxCount };
  return connection.insist(`Reading stream ${stream}`, (deadlineMs) => read(connection, request, deadlineMs));
}

/** The newest event of a stream; null where there is no such stream, or where it was deleted. */
export async function readNewest(connection: Connection, stream: string): Promise<StoredRecord | null> {
  const records = await connection
    .insist(`Reading stream ${stream}`, (deadlineMs) => read(connection, { stream, newest: true }, deadlineMs))
    .catch(unlessTombstoned(null));
  return records?.[0] ?? null;
}

/** The end of the log: the position of the newest event of any writer. */
export async function readEnd(connection: Connection): Promise<Position> {
  const records = await connection.insist("Reading the end of the event log", (deadlineMs) =>
    read(connection, { endOfAll: true }, deadlineMs),
  );
  const newest = records?.[0];
  return newest === undefined ? beginning : positionOf(newest);
}

/**
 * The position of the newest event before this one; the beginning where there is none, or where no event stands at the
 * position.
 */
export async function readBefore(connection: Connection, position: Position): Promise<Position> {
  if (position <= beginning) return beginning;
  const newest = await readBeside(connection, { newestBefore: position });
  return newest === null ? beginning : positionOf(newest);
}

/** The event at a position, of any writer; null where none stands there. */
export async function readAt(connection: Connection, position: Position): Promise<StoredRecord | null> {
  const found = await readFrom(connection, position);
  return found !== null && positionOf(found) === position ? found : null;
}

/** The event at a position, of any writer, or the first one after it; null where no event ever stood there. */
export const readFrom = (connection: Connection, position: Position): Promise<StoredRecord | null> =>
  readBeside(connection, { at: position });

async function readBeside(
  connection: Connection,
  request: Extract<ReadRequest, { readonly newestBefore: bigint } | { readonly at: bigint }>,
): Promise<StoredRecord | null> {
  const found = await connection.insist("Reading the event log at a position", async (deadlineMs) => {
    try {
      return await read(connection, request, deadlineMs);
    } catch (error) {
      if (isForeignPosition(error)) return null;
      throw error;
    }
  });
  return found?.[0] ?? null;
}

/** A position of ours in the client's form. */
export const fromPosition = (
  position: Position,
): { readonly commit: bigint; readonly prepare: bigint } | typeof START =>
  position === beginning ? START : { commit: position, prepare: position };
