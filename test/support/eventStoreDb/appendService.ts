import shared from "@eventstore/db-client/generated/shared_pb.js";
import status from "@eventstore/db-client/generated/status_pb.js";
import streams from "@eventstore/db-client/generated/streams_pb.js";
import type { IStreamsServer } from "@eventstore/db-client/generated/streams_grpc_pb.js";
import type {
  AppendReq,
  AppendResp,
  BatchAppendReq,
  BatchAppendResp,
  DeleteResp,
} from "@eventstore/db-client/generated/streams_pb.js";
import type { Faults } from "./faults.js";
import { failure, googleEmpty, packed, statusCodes, type AppendCall, type BatchAppendCall } from "./grpc.js";
import { bytesOf, identifier, nameOf, streamDeleted } from "./messages.js";
import type { Expectation, NewEntry, StoredLog, Written } from "./storedLog.js";

type AppendCallback = Parameters<IStreamsServer["append"]>[1];
type Proposed = AppendReq.ProposedMessage | BatchAppendReq.ProposedMessage;
interface Expecting {
  hasNoStream(): boolean;
  hasStreamExists(): boolean;
  hasAny(): boolean;
}

/** Appends one by one and through the long-lived batch stream, deletes and tombstones. */
export const appendService = (
  log: () => StoredLog,
  faults: Faults,
): Pick<IStreamsServer, "append" | "batchAppend" | "delete" | "tombstone"> => ({
  append: (call, callback) => appendOne(log, faults, call, callback),
  batchAppend: (call) => appendMany(log, faults, call),
  delete: (call, callback) => {
    faults.count("delete");
    const options = call.request.getOptions();
    const name = nameOf(options);
    const expected: Expectation =
      options?.hasNoStream() === true
        ? "noStream"
        : options?.hasAny() === true
          ? "any"
          : BigInt(options?.getRevision() ?? 0);
    const refused = faults.refusal(call.metadata);
    if (refused !== null) return callback(refused);
    const outcome = log().delete(name, expected);
    if (outcome.kind === "written") return callback(null, deleted(outcome));
    return callback(deletionFailure(name, expected, outcome));
  },
  tombstone: (call, callback) => {
    const name = nameOf(call.request.getOptions());
    const outcome = log().tombstone(name);
    return outcome.kind === "written" ? callback(null, new streams.TombstoneResp()) : callback(streamDeleted(name));
  },
});

async function appendOne(
  log: () => StoredLog,
  faults: Faults,
  call: AppendCall,
  callback: AppendCallback,
): Promise<void> {
  faults.count("append");
  let options: AppendReq.Options | undefined;
  const events: NewEntry[] = [];
  call.on("data", (request: AppendReq) => {
    options = request.getOptions() ?? options;
    const message = request.getProposedMessage();
    if (message !== undefined) events.push(toEntry(message));
  });
  call.on("error", () => undefined);
  call.on("end", async () => {
    const refused = faults.refusal(call.metadata);
    if (refused !== null) return callback(refused);
    const name = nameOf(options);
    await faults.pauseBeforeAppend(name);
    const expected = expectationOf(options, options?.hasRevision() === true ? options.getRevision() : null);
    const outcome = log().append(name, expected, events);
    const lost = outcome.kind === "written" ? faults.loseAcknowledgement() : null;
    if (lost === "silence" || lost === "hang") return undefined;
    if (lost !== null) return callback(lost);
    return outcome.kind === "written" || outcome.kind === "wrongVersion"
      ? callback(null, unaryAnswer(outcome, expected))
      : callback(unaryFailure(name, outcome));
  });
}

function appendMany(log: () => StoredLog, faults: Faults, call: BatchAppendCall): void {
  faults.count("batchAppend");
  const pending = new Map<string, PendingAppend>();
  call.on("error", () => undefined);
  call.on("end", () => call.end());
  call.on("data", async (request: BatchAppendReq) => {
    const id = request.getCorrelationId();
    const key = id?.getString() ?? "";
    const options = request.getOptions();
    if (options !== undefined) pending.set(key, { options, events: [] });
    const append = hung.has(call) ? undefined : pending.get(key);
    append?.events.push(...request.getProposedMessagesList().map(toEntry));
    if (!request.getIsFinal() || append === undefined) return;
    pending.delete(key);
    await faults.pauseBeforeAppend(nameOf(append.options));
    const answer = batchAnswer(log(), faults, call, append);
    answer?.setCorrelationId(id);
    if (answer !== null) call.write(answer);
  });
}

/** Streams on which nothing is answered any more. */
const hung = new WeakSet<BatchAppendCall>();

interface PendingAppend {
  readonly options: BatchAppendReq.Options;
  readonly events: NewEntry[];
}

/** Null where the acknowledgement is lost. */
function batchAnswer(
  log: StoredLog,
  faults: Faults,
  call: BatchAppendCall,
  { options, events }: PendingAppend,
): BatchAppendResp | null {
  const name = nameOf(options);
  const expected = expectationOf(options, options.hasStreamPosition() ? options.getStreamPosition() : null);
  const refused = faults.refusal(call.metadata);
  const answer = new streams.BatchAppendResp();
  answer.setStreamIdentifier(options.getStreamIdentifier());
  if (refused !== null) {
    answer.setError(unknownStatus(refused.message));
    return answer;
  }
  const outcome = log.append(name, expected, events);
  const lost = outcome.kind === "written" ? faults.loseAcknowledgement() : null;
  if (lost === "hang") hung.add(call);
  if (lost === "hang" || lost === "silence") return null;
  if (lost !== null) answer.setError(statusOf("Timeout", new shared.Timeout()));
  else if (outcome.kind === "written") answer.setSuccess(batchSuccess(outcome));
  else answer.setError(batchError(name, expected, outcome));
  return answer;
}

function unaryAnswer(
  outcome: Extract<Written, { readonly kind: "written" | "wrongVersion" }>,
  expected: Expectation,
): AppendResp {
  const answer = new streams.AppendResp();
  if (outcome.kind === "written") {
    const success = new streams.AppendResp.Success();
    success.setCurrentRevision(String(outcome.revision));
    if (outcome.position === null) success.setNoPosition(new shared.Empty());
    else success.setPosition(at(new streams.AppendResp.Position(), outcome.position));
    answer.setSuccess(success);
    return answer;
  }
  const wrong = new streams.AppendResp.WrongExpectedVersion();
  if (outcome.current === null) wrong.setCurrentNoStream(new shared.Empty());
  else wrong.setCurrentRevision(String(outcome.current));
  if (expected === "any") wrong.setExpectedAny(new shared.Empty());
  else if (expected === "noStream") wrong.setExpectedNoStream(new shared.Empty());
  else if (expected === "streamExists") wrong.setExpectedStreamExists(new shared.Empty());
  else wrong.setExpectedRevision(String(expected));
  answer.setWrongExpectedVersion(wrong);
  return answer;
}

function unaryFailure(name: string, outcome: Written): ReturnType<typeof failure> {
  if (outcome.kind === "deleted") return streamDeleted(name);
  if (outcome.kind !== "tooLarge") return failure(statusCodes.unknown, "Exception was thrown by handler.");
  const trailers = { exception: "maximum-append-size-exceeded", "maximum-append-size": String(outcome.limit) };
  return failure(statusCodes.invalidArgument, `Maximum Append Size of ${outcome.limit} Exceeded.`, trailers);
}

function deletionFailure(name: string, expected: Expectation, outcome: Written): ReturnType<typeof failure> {
  if (outcome.kind !== "wrongVersion") return streamDeleted(name);
  const version = expected === "any" ? -2n : expected === "noStream" ? -1n : expected;
  const trailers = {
    exception: "wrong-expected-version",
    "stream-name": name,
    "expected-version": String(version),
    "actual-version": String(outcome.current),
  };
  return failure(
    statusCodes.failedPrecondition,
    `Delete failed due to WrongExpectedVersion. Stream: ${name}, Expected version: ${version}, Actual version: ${outcome.current}`,
    trailers,
  );
}

function deleted({ position }: Extract<Written, { readonly kind: "written" }>): DeleteResp {
  const answer = new streams.DeleteResp();
  answer.setPosition(at(new streams.DeleteResp.Position(), position ?? 0));
  return answer;
}

function batchSuccess({ revision, position }: Extract<Written, { readonly kind: "written" }>): BatchAppendResp.Success {
  const success = new streams.BatchAppendResp.Success();
  success.setCurrentRevision(String(revision));
  if (position === null) success.setNoPosition(googleEmpty());
  else success.setPosition(at(new shared.AllStreamPosition(), position));
  return success;
}

function batchError(name: string, expected: Expectation, outcome: Written): InstanceType<typeof status.Status> {
  if (outcome.kind === "deleted") {
    const message = new shared.StreamDeleted();
    message.setStreamIdentifier(identifier(name));
    return statusOf("StreamDeleted", message);
  }
  if (outcome.kind === "tooLarge") {
    const message = new shared.MaximumAppendSizeExceeded();
    message.setMaxappendsize(outcome.limit);
    return statusOf("MaximumAppendSizeExceeded", message);
  }
  if (outcome.kind !== "wrongVersion") return statusOf("BadRequest", new shared.BadRequest());
  const message = new shared.WrongExpectedVersion();
  if (outcome.current === null) message.setCurrentNoStream(googleEmpty());
  else message.setCurrentStreamRevision(String(outcome.current));
  if (expected === "any") message.setExpectedAny(googleEmpty());
  else if (expected === "noStream") message.setExpectedNoStream(googleEmpty());
  else if (expected === "streamExists") message.setExpectedStreamExists(googleEmpty());
  else message.setExpectedStreamPosition(String(expected));
  return statusOf("WrongExpectedVersion", message);
}

function statusOf(type: string, details: { serializeBinary(): Uint8Array }): InstanceType<typeof status.Status> {
  const error = new status.Status();
  error.setMessage(type);
  error.setDetails(packed(type, details));
  return error;
}

/** As the batch path says that the server is not ready: with details that the client does not recognize. */
function unknownStatus(message: string): InstanceType<typeof status.Status> {
  const error = new status.Status();
  error.setMessage(message);
  error.setDetails(packed("Empty", new shared.Empty()));
  return error;
}

function at<Position extends { setCommitPosition(value: string): unknown; setPreparePosition(value: string): unknown }>(
  position: Position,
  value: number,
): Position {
  position.setCommitPosition(String(value));
  position.setPreparePosition(String(value));
  return position;
}

function expectationOf(options: Expecting | undefined, revision: string | null): Expectation {
  if (revision !== null) return BigInt(revision);
  if (options?.hasNoStream() === true) return "noStream";
  return options?.hasStreamExists() === true ? "streamExists" : "any";
}

const toEntry = (message: Proposed): NewEntry => ({
  id: message.getId()?.getString() ?? "",
  type: message.getMetadataMap().get("type") ?? "",
  contentType: message.getMetadataMap().get("content-type") ?? "application/octet-stream",
  data: bytesOf(message.getData()),
  metadata: bytesOf(message.getCustomMetadata()),
});
