import { setImmediate as nextTurn } from "node:timers/promises";
import { orAborted } from "../src/shared/waiting.js";
import type { Position } from "../src/shared/position.js";
import { failed, ok, type Result } from "../src/shared/result.js";
import type { Checkpointed, Readers } from "./ports.js";
import type { QueryFailure } from "./queryResult.js";

type Inconsistent = Extract<QueryFailure, { readonly type: "NotYetConsistent" | "TokenBeyondLog" }>;

/**
 * Waits until all of these read models serve the position that a consistency token asks for, as long as the readers
 * allow together. A position that the log itself has not reached is no token of this log, and refused at once. Rejects
 * with the reason of `superseded` as soon as that aborts.
 */
export async function waitUntilProjected(
  atLeast: Position | null,
  readModels: readonly Checkpointed[],
  {
    consistencyTimeoutMs: timeoutMs,
    isInLog,
    superseded,
  }: Pick<Readers, "consistencyTimeoutMs" | "isInLog" | "superseded">,
): Promise<Result<null, Inconsistent>> {
  if (atLeast === null) return ok(null);
  const start = performance.now();
  let isOver = false;
  const waits = Promise.all(readModels.map((readModel) => readModel.reached(atLeast, timeoutMs)));
  const reached = (superseded === undefined ? waits : orAborted(waits, superseded)).finally(() => (isOver = true));
  const missed = new Promise<"missed">((resolve) => {
    // Most tokens have been reached already: then the log need not be asked.
    void nextTurn().then(async () => {
      const isMissed = !isOver && (await isBeyondLog(atLeast, isInLog));
      return isMissed ? resolve("missed") : undefined;
    });
  });
  const first = await Promise.race([reached, missed]);
  if (first === "missed") {
    reached.catch(() => undefined);
    return failed({ type: "TokenBeyondLog" });
  }
  if (first.every(Boolean)) return ok(null);
  return failed({ type: "NotYetConsistent", waitedMs: Math.round(performance.now() - start) });
}

/** False while the log does not answer: then nobody knows. */
const isBeyondLog = (position: Position, isInLog: Readers["isInLog"]): Promise<boolean> =>
  isInLog(position).then(
    (isIn) => !isIn,
    () => false,
  );
