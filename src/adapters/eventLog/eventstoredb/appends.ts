import type { Connection } from "./connection.js";
import type { Appended, StreamAppend } from "./batchAppends.js";
import { isRefusal, reasonOf } from "./failures.js";
import { sizeOf, type StreamEvent } from "./streamEvent.js";

/** What the server takes in one append by default: data, metadata and types together. */
export const maxAppendBytes = 1_048_576;

/**
 * Appends at an explicit revision, never at any: only then is sending the same events again exact, after a lost
 * acknowledgement, a restart and 30,000 later events alike. An unknown outcome is therefore asked again until it is known;
 * throws `EngineUnavailable` where that takes too long. Throws before anything is sent where the append is too large.
 */
export async function append(connection: Connection, request: StreamAppend): Promise<Appended> {
  const { stream, events } = request;
  refuseOversize(stream, events);
  const what = `Whether an append to stream ${stream} was written is not known; sending it again is safe. The last attempt`;
  try {
    return await connection.insist(what, (deadlineMs) => connection.appends.send(request, deadlineMs));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw new Error(`The event store refused an append to stream ${stream}: ${reasonOf(error)}.`, { cause: error });
  }
}

/** Some sizes cost the connection, so that other appends' outcomes get lost as well. */
function refuseOversize(stream: string, events: readonly StreamEvent[]): void {
  let bytes = 0;
  for (const event of events) bytes += sizeOf(event);
  if (bytes > maxAppendBytes) {
    throw new Error(`An append of ${bytes} bytes to stream ${stream} is more than the ${maxAppendBytes} bytes that the event store takes at once: nothing was written.`);
  }
}
