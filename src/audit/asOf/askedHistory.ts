import { setImmediate as nextTurn } from "node:timers/promises";
import { orAborted } from "../../shared/waiting.js";
import type { LogClock } from "../ports/log.js";
import type { PermissionHistoryReader } from "../ports/permissionHistoryReader.js";
import { BulkRemovals } from "../removals/bulkRemovals.js";

/** One version of the permission history, as a question uses it from beginning to end. */
export interface AskedHistory extends Pick<
  PermissionHistoryReader,
  "page" | "position" | "reached" | "history" | "inventory" | "findSubjects" | "counts"
> {
  readonly clock: LogClock;
  /** The bulk removals of the last days, the oldest first. */
  bulkRemovals(): ReturnType<BulkRemovals["list"]>;
}

/** The version that is served, whichever it is at each question. */
export interface ServedHistory {
  /** Asks a question of one version; and again of the next, where that took over while the question waited. */
  use<Answer>(ask: (history: AskedHistory) => Promise<Answer>): Promise<Answer>;
}

/** Lets waits in a version end once another one is served. */
export function askedHistory(reader: PermissionHistoryReader, superseded: AbortSignal): AskedHistory {
  let removals: BulkRemovals | null = null;
  return {
    page: (request) => reader.page(request),
    findSubjects: (search) => reader.findSubjects(search),
    counts: () => reader.counts(),
    position: () => reader.position(),
    history: () => reader.history(),
    inventory: () => reader.inventory(),
    reached: (position, timeoutMs) => orAborted(reader.reached(position, timeoutMs), superseded),
    clock: {
      positionAt: (time) => orAborted(reader.clock.positionAt(time), superseded),
      timeAt: (position) => orAborted(reader.clock.timeAt(position), superseded),
      newestTime: () => reader.clock.newestTime(),
    },
    bulkRemovals: () => {
      removals ??= new BulkRemovals(
        reader.removals(),
        () => Date.now(),
        () => nextTurn(),
      );
      return removals.list();
    },
  };
}

/** The clock of whatever version is served at each question. */
export const servedClock = (history: ServedHistory): LogClock => ({
  positionAt: (time) => history.use(({ clock }) => clock.positionAt(time)),
  timeAt: (position) => history.use(({ clock }) => clock.timeAt(position)),
  newestTime: () => history.use(({ clock }) => clock.newestTime()),
});
