import streams from "@eventstore/db-client/generated/streams_pb.js";
import type { ReadReq, ReadResp } from "@eventstore/db-client/generated/streams_pb.js";
import type { Faults } from "./faults.js";
import { failure, statusCodes, type ReadCall } from "./grpc.js";
import type { Entry, StoredLog } from "./storedLog.js";
import { drained, identifier, nameOf, streamDeleted, toEvent } from "./messages.js";
import { subscribe } from "./subscription.js";

const forwards = 0;
const endOfStream = 18_446_744_073_709_551_615n;

/** Reads of a stream and of all, in both directions, and subscriptions to all. */
export async function read(log: StoredLog, faults: Faults, call: ReadCall): Promise<void> {
  const options = call.request.getOptions();
  call.on("error", () => undefined);
  if (options === undefined) return void call.end();
  if (options.hasSubscription()) {
    faults.count("subscribe");
    return subscribe(log, options, call);
  }
  faults.count("read");
  const refused = faults.leader === null ? null : faults.refusal(call.metadata);
  if (refused !== null) return void call.emit("error", refused);
  const found = options.hasStream() ? readStream(log, options) : readAll(log, options);
  if (found instanceof Error) return void call.emit("error", found);
  if (!Array.isArray(found)) call.write(found as ReadResp);
  for (const entry of Array.isArray(found) ? (found as readonly Entry[]) : []) {
    if (call.cancelled) return;
    if (!call.write(toEvent(entry))) await drained(call);
  }
  call.end();
}

function readStream(log: StoredLog, options: ReadReq.Options): readonly Entry[] | Error | ReadResp {
  const from = options.getStream();
  const name = nameOf(from);
  const count = Number(options.getCount());
  const isForwards = options.getReadDirection() === forwards;
  if (count === 0 || (isForwards && from?.hasEnd() === true))
    return failure(statusCodes.unknown, "Unexpected ReadStreamResult: Error");
  if (log.stream(name)?.isTombstoned === true) return streamDeleted(name);
  const visible = log.visible(name);
  if (visible === null) return notFound(name);
  const start = revisionOf(from);
  if (isForwards) return visible.filter(({ revision }) => revision >= start).slice(0, count);
  return visible
    .filter(({ revision }) => revision <= start)
    .toReversed()
    .slice(0, count);
}

function revisionOf(from: ReadReq.Options.StreamOptions | undefined): bigint {
  if (from?.hasEnd() === true) return endOfStream;
  return from?.hasRevision() === true ? BigInt(from.getRevision()) : 0n;
}

function readAll(log: StoredLog, options: ReadReq.Options): readonly Entry[] | Error {
  const start = positionOf(options.getAll());
  const last = log.entries.at(-1)?.position ?? 0;
  const isBoundary = start === 0 || start > last || log.entries.some(({ position }) => position === start);
  if (!isBoundary) return failure(statusCodes.unknown, "Unexpected ReadAllResult: InvalidPosition");
  const count = Number(options.getCount());
  if (options.getReadDirection() !== forwards) return backwards(log.events, start, count);
  return log.events.filter(({ position }) => position >= start).slice(0, count);
}

function positionOf(from: ReadReq.Options.AllOptions | undefined): number {
  if (from?.hasEnd() === true) return Number.POSITIVE_INFINITY;
  return from?.hasPosition() === true ? Number(from.getPosition()?.getCommitPosition() ?? 0) : 0;
}

function backwards(entries: readonly Entry[], before: number, count: number): readonly Entry[] {
  const found: Entry[] = [];
  for (let index = entries.length - 1; index >= 0 && found.length < count; index--) {
    const entry = entries[index];
    if (entry !== undefined && entry.position < before) found.push(entry);
  }
  return found;
}

function notFound(name: string): ReadResp {
  const answer = new streams.ReadResp();
  const missing = new streams.ReadResp.StreamNotFound();
  missing.setStreamIdentifier(identifier(name));
  answer.setStreamNotFound(missing);
  return answer;
}
