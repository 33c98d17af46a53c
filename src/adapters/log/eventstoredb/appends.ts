import type { Connection } from "./connection.js";
import type { Appended, StreamAppend } from "./batchAppends.js";
import { AppendTooLarge, isRefusal, reasonOf } from "./failures.js";
import { sizeOfAll } from "./storedEvents.js";

/** The server will not take this append, however often it is sent. Nothing was written. */
export class AppendRefused extends Error {}

/** What the server takes in one append by default, with data, metadata and types together. */
export const maxAppendBytes = 1_048_576;

/**
 * Appends at an explicit revision, never at any. Only then is it exact to send the same events again, even after a lost
 * acknowledgement, a restart and 30,000 later events. So an append with an unknown outcome is sent again until the
 * outcome is known. Throws `EngineUnavailable` where that takes too long, and `AppendTooLarge` where the server will
 * not take that much at once.
 */
export async function append(connection: Connection, request: StreamAppend): Promise<Appended> {
  const { stream, events } = request;
  // It is not even sent: some sizes cost the connection, and then other appends' outcomes get lost as well.
  if (sizeOfAll(events) > maxAppendBytes) throw new AppendTooLarge(maxAppendBytes);
  const what = `Whether an append to stream ${stream} was written is not known; sending it again is safe. The last attempt`;
  try {
    return await connection.insist(what, (deadlineMs) => connection.appends.send(request, deadlineMs));
  } catch (error) {
    if (!isRefusal(error) || error instanceof AppendTooLarge) throw error;
    throw new AppendRefused(`The event store refused an append to stream ${stream}: ${reasonOf(error)}.`, {
      cause: error,
    });
  }
}
