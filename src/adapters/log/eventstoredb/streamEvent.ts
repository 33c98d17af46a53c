import { randomUUID } from "node:crypto";

/** An event as it goes to the server. */
export interface StreamEvent {
  /** A UUID. */
  readonly id: string;
  /** Not empty. */
  readonly type: string;
  readonly contentType: "application/json" | "application/octet-stream";
  readonly data: Buffer;
  /** JSON, or nothing. */
  readonly metadata: Buffer;
}

/** Throws where the data cannot be written as JSON. */
export function jsonEvent({
  id = randomUUID(),
  type,
  data,
  metadata,
}: {
  readonly id?: string;
  readonly type: string;
  readonly data: object;
  readonly metadata?: object;
}): StreamEvent {
  return {
    id,
    type,
    contentType: "application/json",
    data: jsonOf(data),
    metadata: metadata === undefined ? Buffer.alloc(0) : jsonOf(metadata),
  };
}

/** An event of bytes as they are; its metadata say what they are. */
export function bytesEvent({
  id,
  type,
  data,
  metadata,
}: {
  readonly id: string;
  readonly type: string;
  readonly data: Buffer;
  readonly metadata: object;
}): StreamEvent {
  return { id, type, contentType: "application/octet-stream", data, metadata: jsonOf(metadata) };
}

/** How much an event counts towards the limit of an append. */
export const sizeOf = ({ type, data, metadata }: StreamEvent): number =>
  2 * type.length + data.length + metadata.length;

export const sizeOfAll = (events: readonly StreamEvent[]): number =>
  events.reduce((sum, event) => sum + sizeOf(event), 0);

const jsonOf = (value: object): Buffer => Buffer.from(JSON.stringify(value));
