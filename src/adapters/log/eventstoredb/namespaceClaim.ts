import { append } from "./appends.js";
import type { Connection } from "./connection.js";
import { isAccessDenied, reasonOf } from "./failures.js";
import type { StreamNames } from "./streamNames.js";
import { jsonEvent } from "./streamEvent.js";
import { readForwards } from "./streamReads.js";

const program = "enterprise-search";
/** The layout of streams and events. A program refuses a namespace with a later one. */
const layout = 1;

/**
 * Makes sure that the event store answers, that it takes appends, and that the namespace belongs to this program: its
 * first event says so, and whoever opens a namespace first writes that event. Resolves with the event's id. Rejects with
 * one sentence where that cannot be.
 */
export async function claimNamespace(connection: Connection, names: StreamNames): Promise<string> {
  try {
    let [first] = await readForwards(connection, names.claim, { fromRevision: 0, maxCount: 1 });
    if (first === undefined) {
      await append(connection, {
        stream: names.claim,
        expectedRevision: "noStream",
        events: [jsonEvent({ type: "NamespaceClaimed", data: { program, layout } })],
      });
      [first] = await readForwards(connection, names.claim, { fromRevision: 0, maxCount: 1 });
    }
    const claim = first?.data as { readonly program?: unknown; readonly layout?: unknown } | undefined;
    if (claim?.program !== program)
      throw new ForeignNamespace(
        `The namespace of stream ${names.claim} belongs to another program. Choose another namespace.`,
      );
    if (typeof claim.layout !== "number" || claim.layout > layout) {
      throw new ForeignNamespace(
        `The namespace of stream ${names.claim} was written by a newer version of this program. Upgrade the program.`,
      );
    }
    return first?.id ?? "";
  } catch (error) {
    if (error instanceof ForeignNamespace) throw error;
    if (isAccessDenied(error))
      throw new Error(`The event store at ${connection.target.hosts} refuses access: ${reasonOf(error)}.`, {
        cause: error,
      });
    throw error;
  }
}

class ForeignNamespace extends Error {}
