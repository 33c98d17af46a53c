import type { RecordedEvent } from "../../events/domainEvent.js";
import type { StreamCategory } from "../../events/streams.js";
import type { DatasourceId, DocumentId, Email, GroupId } from "../../shared/ids.js";
import type { Position } from "../../shared/position.js";
import type { UndoLog } from "./ports.js";

/** Who and what belongs to one incarnation of a datasource. */
export interface IncarnationContent {
  /** With their names. */
  readonly people: ReadonlyMap<Email, string | null>;
  readonly groups: ReadonlyMap<GroupId, string>;
  /** Keys are for telling them apart. */
  readonly memberships: ReadonlyMap<
    string,
    {
      readonly groupId: GroupId;
      readonly member:
        { readonly kind: "user"; readonly email: Email } | { readonly kind: "group"; readonly groupId: GroupId };
    }
  >;
  /** Where the newest event of each is. */
  readonly documents: ReadonlyMap<DocumentId, Position>;
}

/** What was written to a incarnation otherwise than was asked for. */
export interface OtherWrites {
  readonly first: RecordedEvent | null;
  readonly count: number;
}

const categories: readonly StreamCategory[] = ["datasource", "groupGraph", "user", "document"];

/** Events that are of the incarnation, after one position, up to and including another. */
export async function* eventsOf(
  log: UndoLog,
  id: DatasourceId,
  after: Position,
  upTo: Position,
): AsyncGenerator<RecordedEvent> {
  for await (const events of log.readRange(after, upTo, categories)) {
    for (const recorded of events)
      if (
        recorded.unreadable === undefined &&
        "datasourceId" in recorded.event.data &&
        recorded.event.data.datasourceId === id
      )
        yield recorded;
  }
}

/** What `isMeant` events of a incarnation come to, and what else was written there. Reads the log. */
export async function readIncarnation(
  events: AsyncIterable<RecordedEvent>,
  isMeant: (recorded: RecordedEvent) => boolean,
): Promise<IncarnationContent & { readonly others: OtherWrites }> {
  const people = new Map<Email, string | null>();
  const groups = new Map<GroupId, string>();
  const memberships = new Map<
    string,
    IncarnationContent["memberships"] extends ReadonlyMap<string, infer Value> ? Value : never
  >();
  const documents = new Map<DocumentId, Position>();
  let first: RecordedEvent | null = null;
  let count = 0;
  for await (const recorded of events) {
    if (!isMeant(recorded)) {
      first ??= recorded;
      count++;
      continue;
    }
    const { event, position } = recorded;
    if (event.type === "UserRegistered" || event.type === "UserRenamed") people.set(event.data.email, event.data.name);
    else if (event.type === "GroupCreated" || event.type === "GroupRenamed")
      groups.set(event.data.groupId, event.data.name);
    else if (event.type === "MembershipAdded")
      memberships.set(JSON.stringify([event.data.groupId, event.data.member]), event.data);
    else if (event.type === "MembershipRemoved")
      memberships.delete(JSON.stringify([event.data.groupId, event.data.member]));
    else if (event.type === "DocumentIndexed") documents.set(event.data.documentId, position);
    else if (event.type === "DocumentDeleted") documents.delete(event.data.documentId);
  }
  return { people, groups, memberships, documents, others: { first, count } };
}

/** As `3 people, 2 groups and 4 memberships`; nothing where there is nothing. */
export function inWords({ people, groups, memberships, documents }: Partial<IncarnationContent>): string {
  const counted = (
    [
      [documents, "document", "documents"],
      [people, "person", "people"],
      [groups, "group", "groups"],
      [memberships, "membership", "memberships"],
    ] as const
  ).flatMap(([items, one, many]) =>
    items === undefined || items.size === 0 ? [] : [`${items.size} ${items.size === 1 ? one : many}`],
  );
  return counted.length < 2 ? counted.join("") : `${counted.slice(0, -1).join(", ")} and ${counted.at(-1)}`;
}
