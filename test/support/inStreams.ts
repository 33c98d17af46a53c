import type { DomainEvent, RecordedEvent } from "../../src/events/domainEvent.js";
import { recordEvents } from "./recordEvents.js";

/** As {@link recordEvents}, with the revisions that the events have in their streams. */
export function inStreams(events: readonly DomainEvent[]): readonly RecordedEvent[] {
  const revisions = new Map<string, number>();
  return recordEvents(events).map((event) => {
    const revision = (revisions.get(event.stream) ?? -1) + 1;
    revisions.set(event.stream, revision);
    return { ...event, revision };
  });
}
