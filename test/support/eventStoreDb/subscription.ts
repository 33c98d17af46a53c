import streams from "@eventstore/db-client/generated/streams_pb.js";
import type { ReadReq, ReadResp } from "@eventstore/db-client/generated/streams_pb.js";
import { once } from "node:events";
import { failure, statusCodes, type ReadCall } from "./grpc.js";
import { drained, toEvent } from "./messages.js";
import { isOwn, type Entry, type StoredLog } from "./storedLog.js";

const defaultWindow = 32;

/**
 * A subscription to `$all`: confirmation, what matches, a checkpoint every so many events looked at, caught up, then
 * live.
 */
export async function subscribe(log: StoredLog, options: ReadReq.Options, call: ReadCall): Promise<void> {
  const start = startOf(log, options);
  if (start instanceof Error) return void call.emit("error", start);
  await send(call, confirmation());
  const ended = new AbortController();
  for (const event of ["cancelled", "close", "error"]) call.on(event, () => ended.abort());
  let isCaughtUp = false;
  const look = lookAt(options, call, () => isCaughtUp);
  for (let index = start; !ended.signal.aborted;) {
    const entry = log.entries[index];
    if (entry !== undefined) {
      index++;
      const sent = look(entry);
      if (sent !== null) await sent;
      continue;
    }
    if (!isCaughtUp) {
      isCaughtUp = true;
      if (log.tellsNextPlace && options.hasFilter()) await send(call, checkpoint(log.nextPlace, 0));
      await send(call, caughtUp());
      // More may have come while it was sent, of which nobody will be told again.
      continue;
    }
    await once(log.changes, "change", { signal: ended.signal }).catch(() => undefined);
  }
}

/** null: there was nothing to send. */
function lookAt(
  options: ReadReq.Options,
  call: ReadCall,
  isLive: () => boolean,
): (entry: Entry) => Promise<void> | null {
  const matches = matcherOf(options);
  const filter = options.getFilter();
  const cadence =
    (filter?.hasMax() === true ? filter.getMax() : defaultWindow) * (filter?.getCheckpointintervalmultiplier() || 1);
  let looked = 0;
  return (entry) => {
    if (isLive() && isOwn(entry)) return null;
    const isSent = matches(entry);
    // Of the past, the place is told that lies before what was looked through, where nothing of it matched.
    const prepare = isSent || isLive() ? entry.position : 0;
    const due = [
      ...(isSent ? [toEvent(entry)] : []),
      ...(filter !== undefined && ++looked % cadence === 0 ? [checkpoint(entry.position, prepare)] : []),
    ];
    return due.length === 0 ? null : sendAll(call, due);
  };
}

/** The index of the first event after the position asked for. */
function startOf(log: StoredLog, options: ReadReq.Options): number | Error {
  const from = options.getAll();
  if (from?.hasEnd() === true) return log.entries.length;
  if (from?.hasPosition() !== true) return 0;
  const position = Number(from.getPosition()?.getCommitPosition() ?? 0);
  const index = log.entries.findIndex((entry) => entry.position >= position);
  // Beyond the end: taken without a word, and everything is skipped until the log gets there.
  if (index === -1) return Math.max(log.entries.length, 1_000_000_000);
  if (log.entries[index]?.position === position) return index + 1;
  return failure(statusCodes.invalidArgument, "Trying to read from an invalid position.");
}

function matcherOf(options: ReadReq.Options): (entry: Entry) => boolean {
  const filter = options.getFilter();
  if (filter === undefined) return () => true;
  const expression = filter.getStreamIdentifier() ?? filter.getEventType();
  const prefixes = expression?.getPrefixList() ?? [];
  const regex = expression === undefined || expression.getRegex() === "" ? null : new RegExp(expression.getRegex());
  const textOf = filter.hasStreamIdentifier() ? (entry: Entry) => entry.stream : (entry: Entry) => entry.type;
  return (entry) => {
    const text = textOf(entry);
    return regex === null ? prefixes.some((prefix) => text.startsWith(prefix)) : regex.test(text);
  };
}

async function sendAll(call: ReadCall, messages: readonly ReadResp[]): Promise<void> {
  for (const message of messages) await send(call, message);
}

async function send(call: ReadCall, message: ReadResp): Promise<void> {
  if (!call.cancelled && !call.write(message)) await drained(call);
}

function confirmation(): ReadResp {
  const answer = new streams.ReadResp();
  const confirmed = new streams.ReadResp.SubscriptionConfirmation();
  confirmed.setSubscriptionId(crypto.randomUUID());
  answer.setConfirmation(confirmed);
  return answer;
}

function caughtUp(): ReadResp {
  const answer = new streams.ReadResp();
  answer.setCaughtUp(new streams.ReadResp.CaughtUp());
  return answer;
}

function checkpoint(commit: number, prepare: number): ReadResp {
  const answer = new streams.ReadResp();
  const reached = new streams.ReadResp.Checkpoint();
  reached.setCommitPosition(String(commit));
  reached.setPreparePosition(String(prepare));
  answer.setCheckpoint(reached);
  return answer;
}
