import { farApartMs } from "../../events/foldedClock.js";
import type { Position } from "../../shared/position.js";
import { failed, ok, type Result } from "../../shared/result.js";
import type { QueryFailure } from "../../../queries/queries.js";
import type { DescribedMoment, Moment } from "../auditFacts.js";
import type { LogClock, LogReader } from "../ports/log.js";

/** What the moment of a question comes to: a prefix of the log. */
export interface AsOf {
  /** The position of the last event that counts. */
  readonly position: Position;
  /** Epoch milliseconds; null for a position before the first event. */
  readonly time: number | null;
  /** What the log's clock shows at its end, where that lies far ahead of now: then one of the two is wrong. */
  readonly aheadAt?: number;
}

export interface MomentServices {
  readonly log: Pick<LogReader, "head">;
  readonly clock: LogClock;
  now(): Date;
}

type MomentInFuture = Extract<QueryFailure, { readonly type: "MomentInFuture" }>;

/**
 * A moment means a prefix of the log (docs/design/audit.md). What has not happened yet cannot be asked for; `parameter`
 * is what named it.
 */
export async function resolveMoment(
  moment: Moment,
  { log, clock, now }: MomentServices,
  parameter = "at",
): Promise<Result<AsOf, MomentInFuture>> {
  const inFuture = failed({ type: "MomentInFuture", parameter } as const);
  const today = now().getTime();
  const head = await log.head();
  const newest = await clock.newestTime();
  const ahead = newest !== null && newest > today + farApartMs ? { aheadAt: newest } : {};
  if (moment.kind === "now") return ok({ position: head, time: today, ...ahead });
  if (moment.kind === "position") {
    const { position } = moment;
    if (position > head) return inFuture;
    const time = moment.time === undefined ? await clock.timeAt(position) : moment.time;
    return ok({ position, time, ...ahead });
  }
  if (moment.time > today) return inFuture;
  return ok({ position: await clock.positionAt(moment.time), time: moment.time, ...ahead });
}

/** How an answer says as of when it holds. */
export const describeAsOf = ({ position, time, aheadAt }: AsOf): DescribedMoment => ({
  at: time === null ? null : new Date(time).toISOString(),
  position: position.toString(),
  ...(aheadAt !== undefined && { clock_ahead_at: new Date(aheadAt).toISOString() }),
});
