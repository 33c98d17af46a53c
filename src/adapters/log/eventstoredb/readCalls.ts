import shared from "@eventstore/db-client/generated/shared_pb.js";
import streams from "@eventstore/db-client/generated/streams_pb.js";
import type { ReadReq, ReadResp } from "@eventstore/db-client/generated/streams_pb.js";
import type { RecordedEvent as StoredRecord } from "@eventstore/db-client";
import type { Connection } from "./connection.js";
import { StreamTombstoned } from "./failures.js";

/** Which events of a stream, or of all streams, to read. */
export type ReadRequest =
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
