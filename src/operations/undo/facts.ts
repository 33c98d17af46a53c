import { match, P } from "ts-pattern";
import { permissionFactOf } from "../../audit/timeline/permissionFact.js";
import type { DomainEvent, RecordedEvent } from "../../events/domainEvent.js";
import { isEventType } from "../../events/eventTypes.js";
import type { UndoRequest } from "./undo.js";

/**
 * Names the fact of its stream that an event decides: of several events about one fact the last one counts. null: it is
 * about the datasource itself (see `datasourceFactsIn`), or about nothing that an undo takes back.
 */
export const decidedFact = (event: DomainEvent): string | null =>
  match(permissionFactOf(event))
    .returnType<string | null>()
    .with({ about: "document" }, () => "document")
    .with({ about: "person", kind: "registered" }, () => "registration")
    .with({ about: "person", kind: "renamed" }, () => "name")
    .with({ about: "person", kind: P.union("joined", "left") }, ({ groupId, email }) => `${email} in ${groupId}`)
    .with({ about: "group", kind: "created" }, ({ groupId }) => `creation of ${groupId}`)
    .with({ about: "group", kind: "renamed" }, ({ groupId }) => `name of ${groupId}`)
    .with({ about: "group", kind: P.union("joined", "left") }, ({ groupId, parentId }) => `${groupId} in ${parentId}`)
    .with({ about: "incarnation" }, null, () => null)
    .exhaustive();

/** One fact of a stream, from the state before the stretch to now. */
export interface FactHistory {
  /** All events of its stream. */
  readonly stream: readonly RecordedEvent[];
  /** The newest event about it before the credential's first one; null where there was none. */
  readonly before: RecordedEvent | null;
  /** The credential's, in the stretch. At least one. */
  readonly written: readonly [RecordedEvent, ...RecordedEvent[]];
  /** The credential's newest in the stretch. */
  readonly last: RecordedEvent;
  /** The newest that somebody else has written since the first of these, or anybody since the last; null: none. */
  readonly since: RecordedEvent | null;
}

/** True of what the credential has written in the stretch. */
export const isWrittenBy = ({ from, to, by }: UndoRequest, { position, metadata }: RecordedEvent): boolean =>
  position >= from && position <= to && metadata.by === by;

/** The facts of a stream that the credential has changed in the stretch. */
export function factsIn(stream: readonly RecordedEvent[], request: UndoRequest): readonly FactHistory[] {
  const isTheirs = (recorded: RecordedEvent): boolean => isWrittenBy(request, recorded);
  const byFact = new Map<string, RecordedEvent[]>();
  // A stream may hold events of a newer program: nothing is taken back of what they decide.
  for (const recorded of stream.filter(({ event }) => isEventType(event.type))) {
    const fact = decidedFact(recorded.event);
    if (fact !== null) byFact.set(fact, [...(byFact.get(fact) ?? []), recorded]);
  }
  return [...byFact.values()].flatMap((events) => {
    const [first, ...others] = events.filter(isTheirs);
    if (first === undefined) return [];
    const at = events.indexOf(first);
    const since = events.slice(at).findLast((recorded) => !isTheirs(recorded)) ?? null;
    return [
      {
        stream,
        before: events[at - 1] ?? null,
        written: [first, ...others] as const,
        last: others.at(-1) ?? first,
        since,
      },
    ];
  });
}
