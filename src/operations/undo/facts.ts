import { match, P } from "ts-pattern";
import { permissionFactOf, type FactAbout, type PermissionFact } from "../../audit/timeline/permissionFact.js";
import type { DomainEvent, RecordedEvent } from "../../events/domainEvent.js";
import { isEventType } from "../../events/eventTypes.js";
import type { UndoRequest } from "./undo.js";

/** What an undo takes back of its own stream: all but what is about the datasource itself (see `datasourceFactsIn`). */
export type UndoableFact = Exclude<PermissionFact, FactAbout<"incarnation">>;

/** The fact that an event decides; null: none that an undo takes back here. */
export function undoableFactOf(event: DomainEvent): UndoableFact | null {
  const fact = permissionFactOf(event);
  return fact?.about === "incarnation" ? null : fact;
}

/** Names the fact in its stream: of several events about one fact the last one counts. */
const nameOf = (fact: UndoableFact): string =>
  match(fact)
    .returnType<string>()
    .with({ about: "document" }, () => "document")
    .with({ about: "person", kind: P.union("registered", "deleted") }, () => "registration")
    .with({ about: "person", kind: "renamed" }, () => "name")
    .with({ about: "person", kind: P.union("joined", "left") }, ({ groupId, email }) => `${email} in ${groupId}`)
    .with({ about: "group", kind: P.union("created", "deleted") }, ({ groupId }) => `creation of ${groupId}`)
    .with({ about: "group", kind: "renamed" }, ({ groupId }) => `name of ${groupId}`)
    .with({ about: "group", kind: P.union("joined", "left") }, ({ groupId, parentId }) => `${groupId} in ${parentId}`)
    .exhaustive();

/** One fact of a stream, from the state before the stretch to now. */
export interface FactHistory {
  /** As the last of the credential's events decides it. */
  readonly fact: UndoableFact;
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
  const byName = new Map<string, (RecordedEvent & { readonly fact: UndoableFact })[]>();
  // A stream may hold events of a newer program: nothing is taken back of what they decide.
  for (const recorded of stream.filter(({ event }) => isEventType(event.type))) {
    const fact = undoableFactOf(recorded.event);
    if (fact === null) continue;
    const name = nameOf(fact);
    byName.set(name, [...(byName.get(name) ?? []), { ...recorded, fact }]);
  }
  return [...byName.values()].flatMap((events) => {
    const [first, ...others] = events.filter(isTheirs);
    if (first === undefined) return [];
    const last = others.at(-1) ?? first;
    const at = events.indexOf(first);
    const since = events.slice(at).findLast((recorded) => !isTheirs(recorded)) ?? null;
    return [
      {
        fact: last.fact,
        stream,
        before: events[at - 1] ?? null,
        written: [first, ...others] as const,
        last,
        since,
      },
    ];
  });
}
