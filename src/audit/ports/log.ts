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
 * The log's clock: at each event it shows the latest time at which that event or any before it was decided, so it never
 * runs backwards (ADR 12). Throws `ReadModelUnavailable` while it has not come far enough to tell.
 */
export interface LogClock {
  /** The end of the longest prefix of the log in which nothing was decided later than `time` (epoch milliseconds). */
  positionAt(time: number): Promise<Position>;
  /** What it shows at a position, in epoch milliseconds; null before the first event. */
  timeAt(position: Position): Promise<number | null>;
}
