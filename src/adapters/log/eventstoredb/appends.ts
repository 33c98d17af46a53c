import type { Connection } from "./connection.js";
import type { Appended, StreamAppend } from "./batchAppends.js";
import { AppendTooLarge, isRefusal, reasonOf } from "./failures.js";
import { sizeOfAll } from "./streamEvent.js";

/** The server will not take an append, however often it is sent: nothing was written. */
export class AppendRefused extends Error {}

/** What the server takes in one append by default: data, metadata and types together. */
export const maxAppendBytes = 1_048_576;

/**
 * Appends at an explicit revision, never at any: only then is sending the same events again exact, after a lost
 * acknowledgement, a restart and 30,000 later events alike. An unknown outcome is therefore asked again until it is
 * known; throws `EngineUnavailable` where that takes too long, `AppendTooLarge` where the server will not take so much
 * at once.
 */
export async function append(connection: Connection, request: StreamAppend): Promise<Appended> {
  const { stream, events } = request;
  // Not even sent: some sizes cost the connection, so that other appends' outcomes get lost as well.
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
