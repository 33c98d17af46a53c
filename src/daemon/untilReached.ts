import { beginning, toPosition, type Position } from "../shared/position.js";

/** Whether the read models serve a position, after waiting for it `timeoutMs` at most. */
export type HasReached = (position: Position, timeoutMs: number) => Promise<boolean>;

export interface Patience {
  readonly signal?: AbortSignal;
  /** How long the read models may stand still before waiting for them ends with an error; left out: for ever. */
  readonly standstillMs?: number;
}

const stepMs = 1_000;

/**
 * Resolves once the read models serve a position, or the signal aborts. Rejects where they have stood still for too
 * long.
 */
export async function untilReached(
  position: Position,
  hasReached: HasReached,
  { signal, standstillMs = Number.POSITIVE_INFINITY }: Patience,
): Promise<void> {
  let furthest = beginning;
  let movedAt = performance.now();
  for (;;) {
    if (signal?.aborted === true || (await hasReached(position, Math.min(stepMs, standstillMs)))) return;
    if (standstillMs === Number.POSITIVE_INFINITY) continue;
    const reached = await furthestReached(position, hasReached);
    if (reached > furthest) [furthest, movedAt] = [reached, performance.now()];
    else if (performance.now() - movedAt >= standstillMs) throw new Error(standstill(standstillMs));
  }
}

const standstill = (milliseconds: number): string =>
  `the read models have not moved for ${Math.round(milliseconds / 1_000)} seconds. The log says above why they cannot be written, most likely a full disk or an engine that is down.`;

/** The newest position up to `limit` that is served: readers say whether they have reached one, not where they are. */
async function furthestReached(limit: Position, hasReached: HasReached): Promise<Position> {
  let [served, notServed] = [beginning as bigint, limit as bigint];
  while (notServed - served > 1n) {
    const middle = (served + notServed) / 2n;
    if (await hasReached(toPosition(middle), 0)) served = middle;
    else notServed = middle;
  }
  return toPosition(served);
}
