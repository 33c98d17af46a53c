import { match, P } from "ts-pattern";
import { permissionFactsOf, type FactAbout, type PermissionFact } from "../../audit/timeline/permissionFact.js";
import type { DomainEvent, RecordedEvent } from "../../events/domainEvent.js";
import { isEventType } from "../../events/eventTypes.js";
import type { UndoRequest } from "./undo.js";

/** What an undo takes back of its own stream: all but what is about the datasource itself (see `datasourceFactsIn`). */
type UndoableFact = Exclude<PermissionFact, FactAbout<"incarnation">>;

/** The fact that an event about one thing decides; null: none that an undo takes back here. */
export function undoableFactOf(event: DomainEvent): UndoableFact | null {
  const [fact] = permissionFactsOf(event);
  return fact === undefined || fact.about === "incarnation" ? null : fact;
}

/** Names the fact among those of its thing: of several events about one fact the last one counts. */
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

/** One fact of a person, a group or a document, from the state before the stretch to now. */
export interface FactHistory {
  /** The fact as the last of the credential's events decides it. */
  readonly fact: UndoableFact;
  /** All events about the same thing. */
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

type DecidedFact = RecordedEvent & { readonly fact: UndoableFact };

/** The facts of a thing that the credential has changed in the stretch. */
export function factsIn(stream: readonly RecordedEvent[], request: UndoRequest): readonly FactHistory[] {
  const isTheirs = (recorded: RecordedEvent): boolean => isWrittenBy(request, recorded);
  return [...byName(stream).values()].flatMap((events) => {
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

/** What was decided of each fact, in log order. */
function byName(stream: readonly RecordedEvent[]): ReadonlyMap<string, readonly DecidedFact[]> {
  const decided = new Map<string, DecidedFact[]>();
  // A stream may hold events of a newer program: nothing is taken back of what they decide.
  for (const recorded of stream.filter(({ event }) => isEventType(event.type))) {
    const fact = undoableFactOf(recorded.event);
    for (const each of fact === null ? [] : decidedWith(fact, decided)) {
      const known = decided.get(nameOf(each));
      if (known === undefined) decided.set(nameOf(each), [{ ...recorded, fact: each }]);
      else known.push({ ...recorded, fact: each });
    }
  }
  return decided;
}

/** A person who is deleted leaves every remaining group, and joins none: see `PersonFact`. */
function decidedWith(
  fact: UndoableFact,
  decided: ReadonlyMap<string, readonly DecidedFact[]>,
): readonly UndoableFact[] {
  if (fact.about !== "person") return [fact];
  const isGone = decided.get("registration")?.at(-1)?.fact.kind === "deleted";
  if (fact.kind === "joined" && isGone) return [];
  const left = [...decided.values()].flatMap((facts): readonly UndoableFact[] => {
    const last = facts.at(-1)?.fact;
    return last?.about === "person" && last.kind === "joined" ? [{ ...last, kind: "left" }] : [];
  });
  return fact.kind === "deleted" ? [fact, ...left] : [fact];
}
