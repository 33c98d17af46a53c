import type { RecordedEvent } from "../../events/domainEvent.js";
import type { StreamName } from "../../events/streams.js";
import type { Position, Revision } from "../../shared/position.js";

/** The log as questions about the past see it: streams, to be read alone. */
export interface LogReader {
  /**
   * Events of a stream from `fromRevision` on, in order, at most `maxCount` where that is given; empty where there are
   * none. Throws an `UnreadableEvent` (`src/shared`) where one of them cannot be read.
   */
  readStream(stream: StreamName, fromRevision: Revision, maxCount?: number): Promise<readonly RecordedEvent[]>;
  /** Position of the newest event; `beginning` for an empty log. */
  head(): Promise<Position>;
}

/**
 * The log's clock: the time of each event, in the order of the log. It never runs backwards, whatever clocks the events
 * were written under (`src/events/foldedClock.ts`, docs/design/log.md). Throws `ReadModelUnavailable` while it has not
 * come far enough to tell.
 */
export interface LogClock {
  /** The end of the longest prefix of the log in which nothing was decided later than `time` (epoch milliseconds). */
  positionAt(time: number): Promise<Position>;
  /** What it shows at a position, in epoch milliseconds; null before the first event. */
  timeAt(position: Position): Promise<number | null>;
  /** What it shows at the newest event that is known by now; null: none is. Waits for nothing. */
  newestTime(): Promise<number | null>;
}

/** The log's clock as it is kept, to be held against the log. */
export interface KeptLogClock extends LogClock {
  /** What it showed when the event came: before it may have gone back to an earlier time. */
  showed(position: Position): Promise<number | null>;
}
