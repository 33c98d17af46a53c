import type { Revision } from "../../../shared/position.js";
import type { Connection } from "./connection.js";
import { withinDeadline, isConflict, isMissing, isRefusal, reasonOf } from "./failures.js";

/**
 * Deletes a stream, so that no stream read shows its events any more; the next scavenge removes them from disk. False
 * where the stream is not at that revision. A stream that is gone already is no error.
 */
export async function deleteAt(connection: Connection, stream: string, revision: Revision): Promise<boolean> {
  try {
    await connection.insist(`Deleting stream ${stream}`, (deadline) =>
      withinDeadline(
        deadline,
        connection.client.deleteStream(stream, {
          ...connection.callOptions,
          expectedRevision: BigInt(revision),
          deadline,
        }),
      ),
    );
    return true;
  } catch (error) {
    if (isMissing(error)) return true;
    if (isConflict(error)) return false;
    if (isRefusal(error))
      throw new Error(`The event store refused to delete stream ${stream}: ${reasonOf(error)}.`, { cause: error });
    throw error;
  }
}
