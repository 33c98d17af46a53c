import type { EventLog } from "../../commands/ports.js";
import type { LogClock, LogReader } from "../../src/audit/ports/log.js";
import type { RecordedEvent } from "../../src/events/domainEvent.js";
import type { StreamName } from "../../src/events/streams.js";
import { beginning } from "../../src/shared/position.js";
import { naivePositionAt, naiveTimes } from "./naiveReplay.js";

/** A log that holds these events, as questions about the past see it; more may be pushed. */
export function recordedLog(events: readonly RecordedEvent[]): LogReader & LogClock & Pick<EventLog, "readLast"> {
  return {
    readStream: async (stream: StreamName, fromRevision, maxCount = Infinity) =>
      events.filter((event) => event.stream === stream && event.revision >= fromRevision).slice(0, maxCount),
    readLast: async (stream) => events.findLast((event) => event.stream === stream) ?? null,
    head: async () => events.at(-1)?.position ?? beginning,
    positionAt: async (time) => naivePositionAt(events, time),
    timeAt: async (position) => naiveTimes(events).findLast(([at]) => at <= position)?.[1] ?? null,
    newestTime: async () => naiveTimes(events).at(-1)?.[1] ?? null,
  };
}
