import type { Position } from "../shared/position.js";

/** Whether the read models serve a position, after waiting for it `timeoutMs` at most. */
export type HasReached = (position: Position, timeoutMs: number) => Promise<boolean>;

const stepMs = 1_000;

/** Resolves once the read models serve a position, or the signal aborts. */
export async function untilReached(position: Position, hasReached: HasReached, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && !(await hasReached(position, stepMs)));
}
