import { START, type RecordedEvent as StoredRecord } from "@eventstore/db-client";
import shared from "@eventstore/db-client/generated/shared_pb.js";
import streams, { type ReadReq, type ReadResp } from "@eventstore/db-client/generated/streams_pb.js";
import { EngineUnavailable } from "../../../shared/failures.js";
import { beginning, type Position, type Revision } from "../../../shared/position.js";
import type { Connection } from "./connection.js";
import { isForeignPosition, StreamTombstoned } from "./failures.js";
import { positionOf } from "./storedEvents.js";
import { metadataStream } from "./streamNames.js";

interface Stretch {
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

/**
 * Null where there is no such stream, or where it was deleted. Throws `EngineUnavailable` where the server cannot be
 * asked.
 */
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

/** Which events of a stream, or of all streams, to read. */
type ReadRequest =
  | { readonly stream: string; readonly fromRevision: bigint; readonly maxCount: number }
  | { readonly stream: string; readonly newest: true }
  | { readonly endOfAll: true }
  /** The newest events of any stream, newest first: before a position, or, where it is null, of all. */
  | { readonly allBefore: bigint | null; readonly maxCount: number }
  /** The newest event before a position, of any stream. */
  | { readonly newestBefore: bigint }
  /** The event at a position, of any stream, or the first one after it. */
  | { readonly at: bigint };

const backwards = 1;

/**
 * One read, without the client's pipeline of streams around it, which costs twice the read itself. Null where there is
 * no such stream. Fails where nothing arrives for `idleMs`, and with `StreamTombstoned`.
 */
export async function read(
  connection: Connection,
  request: ReadRequest,
  idleMs: number,
): Promise<readonly StoredRecord[] | null> {
  const client = await connection.streams(idleMs);
  const call = client.read(toMessage(request), ...connection.callArguments(connection.callOptions));
  return new Promise((resolve, reject) => {
    const since = performance.now();
    const records: StoredRecord[] = [];
    let isMissing = false;
    const timer = setTimeout(() => {
      reject(new Error(`nothing arrived within ${Math.round(idleMs)} ms`));
      call.cancel();
      connection.noteSilence(client, since);
    }, idleMs);
    call.on("data", (message: ReadResp) => {
      timer.refresh();
      connection.noteAnswer();
      isMissing ||= message.hasStreamNotFound();
      const event = message.getEvent()?.getEvent();
      if (event !== undefined) records.push(toRecord(event));
    });
    call.on("end", () => {
      clearTimeout(timer);
      resolve(isMissing ? null : records);
    });
    // The listener stays after the end: an error event without a listener would end the process.
    call.on("error", (error: Error) => {
      clearTimeout(timer);
      if (isTombstoned(error)) return reject(new StreamTombstoned());
      connection.noteFailure(client, error);
      return reject(error);
    });
  });
}

function isTombstoned(error: Error): boolean {
  const { metadata } = error as { readonly metadata?: { get(name: string): readonly unknown[] } };
  return metadata?.get("exception")[0] === "stream-deleted";
}

function toMessage(request: ReadRequest): ReadReq {
  const options = new streams.ReadReq.Options();
  if ("endOfAll" in request || ("allBefore" in request && request.allBefore === null)) {
    const all = new streams.ReadReq.Options.AllOptions();
    all.setEnd(new shared.Empty());
    options.setAll(all);
  } else if (!("stream" in request)) {
    const [all, position] = [new streams.ReadReq.Options.AllOptions(), new streams.ReadReq.Options.Position()];
    const place = String(placeIn(request));
    position.setCommitPosition(place);
    position.setPreparePosition(place);
    all.setPosition(position);
    options.setAll(all);
  } else {
    options.setStream(toStreamOptions(request));
  }
  if (!("fromRevision" in request || "at" in request)) options.setReadDirection(backwards);
  options.setCount(String("maxCount" in request ? request.maxCount : 1));
  options.setNoFilter(new shared.Empty());
  const uuids = new streams.ReadReq.Options.UUIDOption();
  uuids.setString(new shared.Empty());
  options.setUuidOption(uuids);
  const message = new streams.ReadReq();
  message.setOptions(options);
  return message;
}

const placeIn = (
  request: Exclude<ReadRequest, { readonly stream: string } | { readonly endOfAll: true }>,
): bigint | null => {
  if ("at" in request) return request.at;
  return "newestBefore" in request ? request.newestBefore : request.allBefore;
};

function toStreamOptions(request: Extract<ReadRequest, { readonly stream: string }>): ReadReq.Options.StreamOptions {
  const options = new streams.ReadReq.Options.StreamOptions();
  const identifier = new shared.StreamIdentifier();
  identifier.setStreamName(Buffer.from(request.stream));
  options.setStreamIdentifier(identifier);
  if ("newest" in request) options.setEnd(new shared.Empty());
  else options.setRevision(String(request.fromRevision));
  return options;
}

const ticksPerMillisecond = 10_000n;

/** In the form in which the client gives it. */
function toRecord(event: ReadResp.ReadEvent.RecordedEvent): StoredRecord {
  const map = event.getMetadataMap();
  const isJson = map.get("content-type") === "application/json";
  const position = BigInt(event.getCommitPosition());
  return {
    streamId: Buffer.from(event.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString(),
    id: event.getId()?.getString() ?? "",
    revision: BigInt(event.getStreamRevision()),
    type: map.get("type") ?? "",
    data: isJson ? parsed(event.getData_asU8()) : event.getData_asU8(),
    metadata: parsed(event.getCustomMetadata_asU8()),
    isJson,
    created: new Date(Number(BigInt(map.get("created") ?? 0) / ticksPerMillisecond)),
    position: { commit: position, prepare: position },
  } as unknown as StoredRecord;
}

/** The bytes themselves where they are no JSON. */
function parsed(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined;
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString());
  } catch {
    return bytes;
  }
}
