import { NO_STREAM, type EventData } from "@eventstore/db-client";
import type { ExpectedRevision, Position, Revision } from "../../../shared/position.js";
import { toPosition } from "../../../shared/position.js";
import type { Connection } from "./connection.js";
import { isConflict, isTombstoned, reasonOf } from "./failures.js";
import { sizeOf } from "./storedEvents.js";

/** What the server takes in one append by default: data, metadata and types together. */
export const maxAppendBytes = 1_048_576;

/** What became of an append to one stream of the server. */
export type Appended =
  /** `position` is null where these very events were written before and the stream has been deleted since. */
  | { readonly kind: "appended"; readonly revision: Revision; readonly position: Position | null }
  | { readonly kind: "conflict"; readonly actualRevision: ExpectedRevision };

export interface StreamAppend {
  readonly stream: string;
  readonly expectedRevision: ExpectedRevision;
  /** At least one. Their ids are stable: the same append with the same ids is written once, however often it is sent. */
  readonly events: readonly EventData[];
}

/**
 * Appends at an explicit revision, never at any: only then is sending the same events again exact, after a lost
 * acknowledgement, a restart and 30,000 later events alike. An unknown outcome is therefore asked again until it is known;
 * throws `EngineUnavailable` where that takes too long. Throws before anything is sent where the append is too large.
 */
export async function append(connection: Connection, { stream, expectedRevision, events }: StreamAppend): Promise<Appended> {
  refuseOversize(stream, events);
  const expected = expectedRevision === "noStream" ? NO_STREAM : BigInt(expectedRevision);
  const send = async (deadline: number): Promise<Appended> => {
    const result = await connection.client.appendToStream(stream, [...events], { ...connection.callOptions, expectedRevision: expected, deadline });
    return {
      kind: "appended",
      revision: Number(result.nextExpectedRevision),
      position: result.position === undefined ? null : toPosition(result.position.commit),
    };
  };
  try {
    return await connection.insist(`Whether an append to stream ${stream} was written is not known; sending it again is safe. The last attempt`, send);
  } catch (error) {
    if (isConflict(error)) return { kind: "conflict", actualRevision: toRevision(error.actualVersion) };
    if (isTombstoned(error)) throw new Error(`Stream ${stream} was deleted for good on the event store, outside this program: nothing can be appended to it.`, { cause: error });
    if (error instanceof Error && error.name === "EngineUnavailable") throw error;
    throw new Error(`The event store refused an append to stream ${stream}: ${reasonOf(error)}.`, { cause: error });
  }
}

const toRevision = (actual: unknown): ExpectedRevision => (typeof actual === "bigint" && actual >= 0n ? Number(actual) : "noStream");

/** Some sizes cost the client its connection, so that other appends' outcomes get lost as well. */
function refuseOversize(stream: string, events: readonly EventData[]): void {
  let bytes = 0;
  for (const event of events) bytes += sizeOf(event);
  if (bytes > maxAppendBytes) {
    throw new Error(`An append of ${bytes} bytes to stream ${stream} is more than the ${maxAppendBytes} bytes that the event store takes at once: nothing was written.`);
  }
}
