import type { DomainEvent, EventOf, RecordedEvent } from "../src/events/domainEvent.js";

/** What each event comes to: a type that is added to these events fails to compile until it is answered for here. */
type AnswersByType<Own extends DomainEvent, Answer> = {
  readonly [Type in Own["type"]]: (recorded: RecordedEvent<EventOf<Type>>) => Answer;
};

/**
 * A projection's `project`, typed on its own events. What else happens in the same streams comes to `nothing`.
 *
 * A table and no `match`, for a rebuild of millions of memberships: patterns that are tried in turn cost 0.5 to 2 µs of
 * the 7 µs that an event takes, a look-up 0.02.
 */
export function projectByType<Own extends DomainEvent, Answer>(
  answers: AnswersByType<Own, Answer>,
  nothing: Answer,
): (recorded: RecordedEvent) => Answer {
  const byType = answers as unknown as Readonly<Record<string, ((recorded: RecordedEvent) => Answer) | undefined>>;
  return (recorded) => {
    const answer = byType[recorded.event.type];
    return answer === undefined ? nothing : answer(recorded);
  };
}
