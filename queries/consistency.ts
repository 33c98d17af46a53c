import type { Position } from "../src/shared/position.js";
import { failed, ok, type Result } from "../src/shared/result.js";
import type { Checkpointed } from "./ports.js";
import type { QueryFailure } from "./queryResult.js";

/**
 * Waits until all of these read models serve the position that a consistency token asks for, for `timeoutMs` together.
 */
export async function waitUntilProjected(
  atLeast: Position | null,
  readModels: readonly Checkpointed[],
  timeoutMs: number,
): Promise<Result<null, Extract<QueryFailure, { readonly type: "NotYetConsistent" }>>> {
  if (atLeast === null) return ok(null);
  const start = performance.now();
  const reached = await Promise.all(readModels.map((readModel) => readModel.reached(atLeast, timeoutMs)));
  if (reached.every(Boolean)) return ok(null);
  return failed({ type: "NotYetConsistent", waitedMs: Math.round(performance.now() - start) });
}
