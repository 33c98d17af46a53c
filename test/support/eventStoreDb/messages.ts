import shared from "@eventstore/db-client/generated/shared_pb.js";
import streams from "@eventstore/db-client/generated/streams_pb.js";
import type { DeleteReq, ReadResp } from "@eventstore/db-client/generated/streams_pb.js";
import { failure, statusCodes, type ReadCall } from "./grpc.js";
import type { Entry } from "./storedLog.js";

export const streamDeleted = (name: string): ReturnType<typeof failure> =>
  failure(statusCodes.failedPrecondition, `Event stream '${name}' is deleted.`, {
    exception: "stream-deleted",
    "stream-name": name,
  });

export const bytesOf = (value: Uint8Array | string): Uint8Array =>
  typeof value === "string" ? Buffer.from(value, "base64") : value;

interface Named {
  getStreamIdentifier(): { getStreamName(): Uint8Array | string } | undefined;
}
export const nameOf = (options: Named | DeleteReq.Options | undefined): string =>
  Buffer.from(bytesOf(options?.getStreamIdentifier()?.getStreamName() ?? "")).toString();

export function identifier(name: string): InstanceType<typeof shared.StreamIdentifier> {
  const id = new shared.StreamIdentifier();
  id.setStreamName(Uint8Array.from(Buffer.from(name)));
  return id;
}

export function drained(call: ReadCall): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      for (const event of endings) call.removeListener(event, done);
      resolve();
    };
    for (const event of endings) call.on(event, done);
  });
}

const endings = ["drain", "close", "cancelled", "error"];

const ticksPerMillisecond = 10_000n;

export function toEvent(entry: Entry): ReadResp {
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent();
  const id = new shared.UUID();
  id.setString(entry.id);
  recorded.setId(id);
  recorded.setStreamIdentifier(identifier(entry.stream));
  recorded.setStreamRevision(String(entry.revision));
  recorded.setCommitPosition(String(entry.position));
  recorded.setPreparePosition(String(entry.position));
  recorded.setData(entry.data);
  recorded.setCustomMetadata(entry.metadata);
  const map = recorded.getMetadataMap();
  map
    .set("type", entry.type)
    .set("content-type", entry.contentType)
    .set("created", String(BigInt(entry.createdMs) * ticksPerMillisecond));
  const event = new streams.ReadResp.ReadEvent();
  event.setEvent(recorded);
  event.setCommitPosition(String(entry.position));
  const answer = new streams.ReadResp();
  answer.setEvent(event);
  return answer;
}
