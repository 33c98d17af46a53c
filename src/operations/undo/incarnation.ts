import { match, P } from "ts-pattern";
import { permissionFactsOf, type PermissionFact } from "../../audit/timeline/permissionFact.js";
import type { RecordedEvent } from "../../events/domainEvent.js";
import type { Member } from "../../events/membership.js";
import { permissionCategories } from "../../events/streams.js";
import type { DatasourceId, DocumentId, Email, GroupId } from "../../shared/ids.js";
import type { Position } from "../../shared/position.js";
import type { UndoLog } from "./ports.js";
import { counted } from "../../shared/counted.js";

/** The people, groups and documents of one incarnation of a datasource. */
export interface IncarnationContent {
  /** Each with a name. */
  readonly people: ReadonlyMap<Email, string | null>;
  readonly groups: ReadonlyMap<GroupId, string>;
  /** Keys are for telling them apart. */
  readonly memberships: ReadonlyMap<string, Membership>;
  /** Each with the position of its newest event. */
  readonly documents: ReadonlyMap<DocumentId, Position>;
}

/** Who belongs to which group. */
export interface Membership {
  readonly groupId: GroupId;
  readonly member: Member;
}

/** What was written to an incarnation besides what is meant. */
export interface OtherWrites {
  readonly first: RecordedEvent | null;
  readonly count: number;
}

/** Events that are of the incarnation, after one position, up to and including another. */
export async function* eventsOf(
  log: UndoLog,
  id: DatasourceId,
  after: Position,
  upTo: Position,
): AsyncGenerator<RecordedEvent> {
  for await (const events of log.readRange(after, upTo, permissionCategories)) {
    for (const recorded of events)
      if (
        recorded.unreadable === undefined &&
        "datasourceId" in recorded.event.data &&
        recorded.event.data.datasourceId === id
      )
        yield recorded;
  }
}

/** What those events of an incarnation come to that are meant, and what else was written there. Reads the log. */
export async function readIncarnation(
  events: AsyncIterable<RecordedEvent>,
  isMeant: (recorded: RecordedEvent) => boolean,
): Promise<IncarnationContent & { readonly others: OtherWrites }> {
  const content = {
    people: new Map<Email, string | null>(),
    groups: new Map<GroupId, string>(),
    memberships: new Map<string, Membership>(),
    documents: new Map<DocumentId, Position>(),
    gone: new Set<Email>(),
  };
  let first: RecordedEvent | null = null;
  let count = 0;
  for await (const recorded of events) {
    if (isMeant(recorded)) {
      for (const fact of permissionFactsOf(recorded.event)) follow(content, fact, recorded.position);
      continue;
    }
    first ??= recorded;
    count++;
  }
  return { ...content, others: { first, count } };
}

type Content = { readonly [Part in keyof IncarnationContent]: Writable<IncarnationContent[Part]> } & {
  /** People who were deleted, and not registered since: they do not join. */
  readonly gone: Set<Email>;
};
type Writable<Part> = Part extends ReadonlyMap<infer Key, infer Value> ? Map<Key, Value> : never;

function follow(
  { people, groups, memberships, documents, gone }: Content,
  fact: PermissionFact,
  position: Position,
): void {
  const belong = (isMember: boolean, membership: Membership): void => {
    const key = JSON.stringify(membership);
    if (isMember) memberships.set(key, membership);
    else memberships.delete(key);
  };
  match(fact)
    .with({ about: "person", kind: P.union("registered", "renamed") }, ({ email, name }) => {
      people.set(email, name);
      gone.delete(email);
    })
    .with({ about: "person", kind: "deleted" }, ({ email }) => {
      people.delete(email);
      gone.add(email);
      for (const [key, { member }] of memberships)
        if (member.kind === "user" && member.email === email) memberships.delete(key);
    })
    .with({ about: "person", kind: P.union("joined", "left") }, ({ kind, groupId, email }) => {
      if (kind === "left" || !gone.has(email)) belong(kind === "joined", { groupId, member: { kind: "user", email } });
    })
    .with(
      { about: "group", kind: P.union("created", "renamed") },
      ({ groupId, name }) => void groups.set(groupId, name),
    )
    .with({ about: "group", kind: "deleted" }, ({ groupId }) => {
      groups.delete(groupId);
      for (const [key, membership] of memberships) if (membership.groupId === groupId) memberships.delete(key);
    })
    .with({ about: "group", kind: P.union("joined", "left") }, ({ kind, groupId, parentId }) =>
      belong(kind === "joined", { groupId: parentId, member: { kind: "group", groupId } }),
    )
    .with({ about: "document", kind: "indexed" }, ({ documentId }) => void documents.set(documentId, position))
    .with({ about: "document", kind: "deleted" }, ({ documentId }) => void documents.delete(documentId))
    .with({ about: "incarnation" }, () => undefined)
    .exhaustive();
}

/** Words such as `3 people, 2 groups and 4 memberships`; empty where there is nothing. */
export function inWords({ people, groups, memberships, documents }: Partial<IncarnationContent>): string {
  const told = (
    [
      [documents, "document", "documents"],
      [people, "person", "people"],
      [groups, "group", "groups"],
      [memberships, "membership", "memberships"],
    ] as const
  ).flatMap(([items, one, many]) => (items === undefined || items.size === 0 ? [] : [counted(items.size, one, many)]));
  return told.length < 2 ? told.join("") : `${told.slice(0, -1).join(", ")} and ${told.at(-1)}`;
}
