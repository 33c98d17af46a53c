import type { DomainEvent } from "../../events/domainEvent.js";
import type { DocumentAccess } from "../../events/document.js";
import type { MembershipEvent } from "../../events/membership.js";
import type { DatasourceId } from "../../shared/ids.js";
import type { IncarnationOf, HypotheticalEntities } from "./hypotheticalEntities.js";
import type { WhoMaySee } from "./whoMaySee.js";

const nobody: DocumentAccess = { anonymous: false, users: [], groups: [] };

/** What events can have changed of one datasource: nobody and nothing else has to be looked at. */
export interface Touched {
  readonly incarnation: IncarnationOf;
  /** People who hold other principals than before, or who were there and are not, or the other way round. */
  readonly people: Set<number>;
  /** Groups that were renamed, or joined or left another one. */
  readonly groups: Set<number>;
  /** Documents that were indexed or deleted. */
  readonly documents: Set<number>;
}

/** Brings events into `after`, and tells what they touch. */
export function applyEvents(
  events: readonly DomainEvent[],
  after: WhoMaySee,
  numbers: HypotheticalEntities,
): readonly Touched[] {
  const touched = new Map<number, Touched>();
  const on = (datasourceId: DatasourceId): Touched | null => {
    const incarnation = numbers.incarnation(datasourceId);
    if (incarnation === null) return null;
    const known = touched.get(incarnation.number) ?? {
      incarnation,
      people: new Set(),
      groups: new Set(),
      documents: new Set(),
    };
    touched.set(incarnation.number, known);
    return known;
  };
  for (const event of events) {
    if (event.type === "DatasourceRegistered") numbers.open(event.data.datasourceId, event.data.name);
    if (!("datasourceId" in event.data)) continue;
    const target = on(event.data.datasourceId);
    if (target !== null) apply(event, target, after, numbers);
  }
  return [...touched.values()];
}

function apply(event: DomainEvent, target: Touched, after: WhoMaySee, numbers: HypotheticalEntities): void {
  const { incarnation, people, groups } = target;
  switch (event.type) {
    case "DatasourceDeleted":
      after.close(incarnation.number);
      for (const person of numbers.everybody(incarnation)) people.add(person);
      return;
    case "UserRegistered": {
      const person = numbers.person(incarnation, event.data.email);
      after.register(person);
      people.add(person);
      return;
    }
    case "GroupCreated":
    case "GroupRenamed": {
      const group = numbers.group(incarnation, event.data.groupId);
      for (const name of after.names.from(group)) after.names.remove(group, name);
      after.names.add(group, numbers.principal(incarnation, "group", event.data.name));
      groups.add(group);
      return;
    }
    case "MembershipAdded":
    case "MembershipRemoved":
      return changeMembership(event, target, after, numbers);
    case "DocumentIndexed":
    case "DocumentDeleted": {
      const document = numbers.document(incarnation, event.data.documentId);
      target.documents.add(document);
      grant(document, event.type === "DocumentIndexed" ? event.data.access : nobody, { after, numbers, incarnation });
      return;
    }
    default:
      return;
  }
}

function changeMembership(
  { type, data: { groupId, member } }: MembershipEvent,
  { incarnation, people, groups }: Touched,
  after: WhoMaySee,
  numbers: HypotheticalEntities,
): void {
  const group = numbers.group(incarnation, groupId);
  const who =
    member.kind === "user" ? numbers.person(incarnation, member.email) : numbers.group(incarnation, member.groupId);
  (member.kind === "user" ? people : groups).add(who);
  const relation = member.kind === "user" ? after.members : after.nestings;
  if (type === "MembershipAdded") relation.add(who, group);
  else relation.remove(who, group);
}

/** A document that is there grants; one that is not grants nobody. */
function grant(
  document: number,
  { anonymous, users, groups }: DocumentAccess,
  {
    after,
    numbers,
    incarnation,
  }: { readonly after: WhoMaySee; readonly numbers: HypotheticalEntities; readonly incarnation: IncarnationOf },
): void {
  const granted = new Set([
    ...(anonymous ? [numbers.principal(incarnation, "anonymous", "")] : []),
    ...users.map((email) => numbers.person(incarnation, email)),
    ...groups.map((name) => numbers.principal(incarnation, "group", name)),
  ]);
  const before = after.grants.from(document);
  for (const principal of before) if (!granted.has(principal)) after.grants.remove(document, principal);
  for (const principal of granted) if (!before.has(principal)) after.grants.add(document, principal);
}
