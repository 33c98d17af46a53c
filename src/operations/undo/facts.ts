import { match } from "ts-pattern";
import type { DomainEvent, RecordedEvent } from "../../events/domainEvent.js";
import type { UndoRequest } from "./undo.js";

/**
 * Which fact of its stream an event decides: of several events about one fact the last one counts. null: nothing that
 * an undo looks at, or of a datasource's own stream (`datasourceFactsIn`).
 */
export function factOf(event: DomainEvent): string | null {
  return match(event)
    .returnType<string | null>()
    .with({ type: "DocumentIndexed" }, { type: "DocumentDeleted" }, () => "document")
    .with({ type: "UserRegistered" }, () => "registration")
    .with({ type: "UserRenamed" }, () => "name")
    .with({ type: "GroupCreated" }, ({ data }) => `creation of ${data.groupId}`)
    .with({ type: "GroupRenamed" }, ({ data }) => `name of ${data.groupId}`)
    .with(
      { type: "MembershipAdded" },
      { type: "MembershipRemoved" },
      ({ data: { groupId, member } }) => `${member.kind === "user" ? member.email : member.groupId} in ${groupId}`,
    )
    .otherwise(() => null);
}

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
  /** What somebody else has written since the first of these, or anybody since the last; null: nothing. */
  readonly since: RecordedEvent | null;
}

/** True of what the credential has written in the stretch. */
export const isWrittenBy = ({ from, to, by }: UndoRequest, { position, metadata }: RecordedEvent): boolean =>
  position >= from && position <= to && metadata.by === by;

/** The facts of a stream that the credential has changed in the stretch. */
export function factsIn(stream: readonly RecordedEvent[], request: UndoRequest): readonly FactHistory[] {
  const isTheirs = (recorded: RecordedEvent): boolean => isWrittenBy(request, recorded);
  const byFact = new Map<string, RecordedEvent[]>();
  for (const recorded of stream) {
    const fact = factOf(recorded.event);
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
