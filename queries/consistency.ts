import { orAborted } from "../src/shared/orAborted.js";
import type { Position } from "../src/shared/position.js";
import { failed, ok, type Result } from "../src/shared/result.js";
import type { Checkpointed, Readers } from "./ports.js";
import type { QueryFailure } from "./queryResult.js";

/**
 * Waits until all of these read models serve the position that a consistency token asks for, as long as the readers
 * allow together. Rejects with the reason of `superseded` as soon as that aborts.
 */
export async function waitUntilProjected(
  atLeast: Position | null,
  readModels: readonly Checkpointed[],
  { consistencyTimeoutMs: timeoutMs, superseded }: Pick<Readers, "consistencyTimeoutMs" | "superseded">,
): Promise<Result<null, Extract<QueryFailure, { readonly type: "NotYetConsistent" }>>> {
  if (atLeast === null) return ok(null);
  const start = performance.now();
  const waits = Promise.all(readModels.map((readModel) => readModel.reached(atLeast, timeoutMs)));
  const reached = await (superseded === undefined ? waits : orAborted(waits, superseded));
  if (reached.every(Boolean)) return ok(null);
  return failed({ type: "NotYetConsistent", waitedMs: Math.round(performance.now() - start) });
}
