import type { EventOf, EventType, RecordedEvent } from "../src/events/domainEvent.js";

/**
 * A projection's `project`, for events of these types alone: `project` is typed on exactly these, and what else happens
 * in the same streams changes nothing.
 */
export function projectOnly<Type extends EventType, Change>(
  types: Readonly<Record<Type, true>>,
  project: (recorded: RecordedEvent<EventOf<Type>>) => readonly Change[],
): (recorded: RecordedEvent) => readonly Change[] {
  return (recorded) =>
    Object.hasOwn(types, recorded.event.type) ? project(recorded as RecordedEvent<EventOf<Type>>) : [];
}
