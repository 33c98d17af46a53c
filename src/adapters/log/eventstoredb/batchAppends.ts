import type { EventStoreDBClient } from "@eventstore/db-client";
import shared from "@eventstore/db-client/generated/shared_pb.js";
import type { Status } from "@eventstore/db-client/generated/status_pb.js";
import type { StreamsClient } from "@eventstore/db-client/generated/streams_grpc_pb.js";
import streams from "@eventstore/db-client/generated/streams_pb.js";
import type { BatchAppendReq, BatchAppendResp } from "@eventstore/db-client/generated/streams_pb.js";
import { randomUUID } from "node:crypto";
import { toPosition, type ExpectedRevision, type Position, type Revision } from "../../../shared/position.js";
import { withinDeadline, AppendTooLarge, AppendRefused } from "./failures.js";
import type { StreamEvent } from "./storedEvents.js";

/** What became of an append to one stream of the server. */
export type Appended =
  /** `position` is null where these very events were written before and the stream has been deleted since. */
  | { readonly kind: "appended"; readonly revision: Revision; readonly position: Position | null }
  | { readonly kind: "conflict"; readonly actualRevision: ExpectedRevision };

export interface StreamAppend {
  readonly stream: string;
  readonly expectedRevision: ExpectedRevision;
  /**
   * At least one event. Their ids are stable: the same append with the same ids is written once, however often it is
   * sent.
   */
  readonly events: readonly StreamEvent[];
}

export type CallArguments = ReturnType<EventStoreDBClient["callArguments"]>;

/** Opens the stream. */
interface StreamCalls {
  streams(deadlineMs: number): Promise<StreamsClient>;
  callArguments(options: { readonly requiresLeader?: true }): CallArguments;
  noteFailure(streams: StreamsClient, error: Error): void;
  noteAnswer(): void;
  noteSilence(streams: StreamsClient, since: number): void;
}

type Call = ReturnType<StreamsClient["batchAppend"]>;

interface PendingReply {
  resolve(outcome: Appended): void;
  reject(error: unknown): void;
}

/** One stream to the server, and the appends that wait for an answer on it. */
interface OpenStream {
  readonly client: StreamsClient;
  readonly call: Call;
  readonly pendingReplies: Map<string, PendingReply>;
  answers: number;
  /** Resolves when the stream takes more. */
  drained: Promise<void>;
  isFull: boolean;
}

const endsOfWaiting = ["drain", "error", "close"];

/**
 * Sends appends on one long-lived stream, as the client's own batch path does, but with a table of waiting appends for
 * this stream alone. Where the stream breaks, all of them are told and nobody else is; an answer that nobody waits for
 * is no error. The client finds the server and leads back to it (docs/design/log.md).
 */
export class BatchAppends {
  private open: Promise<OpenStream> | null = null;

  constructor(private readonly calls: StreamCalls) {}

  /**
   * One attempt. Fails where the outcome is not known in time; throws `Refusal` where the server will never take the
   * append.
   */
  async send(append: StreamAppend, deadlineMs: number): Promise<Appended> {
    this.open ??= this.openStream(deadlineMs);
    const opening = this.open;
    const stream = await opening.catch((error: unknown) => {
      if (this.open === opening) this.open = null;
      throw error;
    });
    await withinDeadline(deadlineMs, stream.drained);
    const id = randomUUID();
    const answersBefore = stream.answers;
    const since = performance.now();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        stream.pendingReplies.delete(id);
        reject(new Error(`no answer within ${Math.round(deadlineMs)} ms`));
        // Nothing was answered meanwhile: this stream hangs, and a new one may not.
        if (stream.answers === answersBefore) stream.call.cancel();
        this.calls.noteSilence(stream.client, since);
      }, deadlineMs);
      const inTime =
        <Value>(reply: (value: Value) => void) =>
        (value: Value): void => {
          clearTimeout(timer);
          reply(value);
        };
      stream.pendingReplies.set(id, { resolve: inTime(resolve), reject: inTime(reject) });
      this.write(stream, toRequest(id, append));
    });
  }

  /** Tells the appends that wait. Never throws. */
  close(): void {
    void this.open?.then(
      ({ call }) => call.cancel(),
      () => undefined,
    );
  }

  private write(stream: OpenStream, request: BatchAppendReq): void {
    if (stream.call.write(request) || stream.isFull) return;
    stream.isFull = true;
    stream.drained = new Promise((resolve) => {
      const drained = (): void => {
        stream.isFull = false;
        for (const event of endsOfWaiting) stream.call.removeListener(event, drained);
        resolve();
      };
      for (const event of endsOfWaiting) stream.call.on(event, drained);
    });
  }

  private async openStream(deadlineMs: number): Promise<OpenStream> {
    const client = await this.calls.streams(deadlineMs);
    const call = client.batchAppend(...this.calls.callArguments({}));
    const stream: OpenStream = {
      client,
      call,
      pendingReplies: new Map(),
      answers: 0,
      drained: Promise.resolve(),
      isFull: false,
    };
    const opened = this.open;
    const end = (error: Error): void => {
      if (this.open === opened) this.open = null;
      for (const pendingReply of stream.pendingReplies.values()) pendingReply.reject(error);
      stream.pendingReplies.clear();
    };
    call.on("data", (response: BatchAppendResp) => {
      stream.answers++;
      this.calls.noteAnswer();
      const id = response.getCorrelationId()?.getString() ?? "";
      const pendingReply = stream.pendingReplies.get(id);
      stream.pendingReplies.delete(id);
      if (pendingReply !== undefined) answer(pendingReply, response);
    });
    call.on("error", (error: Error) => {
      end(error);
      this.calls.noteFailure(client, error);
    });
    call.on("end", () => end(new Error("the event store ended the connection")));
    return stream;
  }
}

function toRequest(id: string, { stream, expectedRevision, events }: StreamAppend): BatchAppendReq {
  const options = new streams.BatchAppendReq.Options();
  const identifier = new shared.StreamIdentifier();
  identifier.setStreamName(Buffer.from(stream));
  options.setStreamIdentifier(identifier);
  if (expectedRevision === "noStream") options.setNoStream(new shared.Empty() as never);
  else options.setStreamPosition(String(expectedRevision));
  const request = new streams.BatchAppendReq();
  request.setCorrelationId(toUuid(id));
  request.setOptions(options);
  for (const event of events) request.addProposedMessages(toMessage(event));
  request.setIsFinal(true);
  return request;
}

function toMessage({ id, type, contentType, data, metadata }: StreamEvent): BatchAppendReq.ProposedMessage {
  const message = new streams.BatchAppendReq.ProposedMessage();
  message.setId(toUuid(id));
  message.getMetadataMap().set("type", type).set("content-type", contentType);
  message.setData(data);
  message.setCustomMetadata(metadata);
  return message;
}

function toUuid(id: string): InstanceType<typeof shared.UUID> {
  const uuid = new shared.UUID();
  uuid.setString(id);
  return uuid;
}

function answer(pendingReply: PendingReply, response: BatchAppendResp): void {
  const success = response.getSuccess();
  if (success !== undefined) {
    const position = success.getPosition()?.getCommitPosition();
    return pendingReply.resolve({
      kind: "appended",
      revision: Number(success.getCurrentRevision()),
      position: position === undefined ? null : toPosition(BigInt(position)),
    });
  }
  const error = response.getError();
  const conflict = error === undefined ? null : conflictIn(error);
  return conflict === null ? pendingReply.reject(toFailure(error)) : pendingReply.resolve(conflict);
}

function conflictIn(error: Status): Appended | null {
  const details =
    error
      .getDetails()
      ?.unpack(shared.WrongExpectedVersion.deserializeBinary, "event_store.client.WrongExpectedVersion") ?? null;
  if (details === null) return null;
  return {
    kind: "conflict",
    actualRevision: details.hasCurrentStreamRevision() ? Number(details.getCurrentStreamRevision()) : "noStream",
  };
}

const refusals: Readonly<Record<string, string>> = {
  "event_store.client.StreamDeleted": "the stream was deleted for good, outside this program",
  "event_store.client.AccessDenied": "the user may not write to it",
  "event_store.client.BadRequest": "the server does not understand it",
};

/** Any error but a plain refusal leaves the outcome open. */
function toFailure(error: Status | undefined): Error {
  const details = error?.getDetails();
  const type = details?.getTypeName() ?? "";
  const refusal = refusals[type];
  if (refusal !== undefined) return new AppendRefused(refusal);
  const tooLarge = details?.unpack(
    shared.MaximumAppendSizeExceeded.deserializeBinary,
    "event_store.client.MaximumAppendSizeExceeded",
  );
  if (tooLarge) return new AppendTooLarge(tooLarge.getMaxappendsize());
  return new Error(error?.getMessage() || type || "an answer that is none");
}
