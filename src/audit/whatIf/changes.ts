import type { DomainEvent } from "../../events/domainEvent.js";
import type { DocumentAccess } from "../../events/document.js";
import type { MembershipEvent } from "../../events/membership.js";
import type { DatasourceId } from "../../shared/ids.js";
import type { GenerationOf, Newcomers } from "./newcomers.js";
import type { WhoMaySee } from "./whoMaySee.js";

const nobody: DocumentAccess = { anonymous: false, users: [], groups: [] };

/** What events can have changed of one datasource: nobody and nothing else has to be looked at. */
export interface Touched {
  readonly generation: GenerationOf;
  /** People who hold other principals than before, or who were there and are not, or the other way round. */
  readonly people: Set<number>;
  /** Groups that were renamed, or joined or left another one. */
  readonly groups: Set<number>;
  /** Documents that were indexed or deleted. */
  readonly documents: Set<number>;
}

/** Brings events into `after`, and tells what they touch. */
export function applyEvents(events: readonly DomainEvent[], after: WhoMaySee, numbers: Newcomers): readonly Touched[] {
  const touched = new Map<number, Touched>();
  const on = (datasourceId: DatasourceId): Touched | null => {
    const generation = numbers.generation(datasourceId);
    if (generation === null) return null;
    const known = touched.get(generation.number) ?? { generation, people: new Set(), groups: new Set(), documents: new Set() };
    touched.set(generation.number, known);
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

function apply(event: DomainEvent, target: Touched, after: WhoMaySee, numbers: Newcomers): void {
  const { generation, people, groups } = target;
  switch (event.type) {
    case "DatasourceDeleted":
      after.close(generation.number);
      for (const person of numbers.everybody(generation)) people.add(person);
      return;
    case "UserRegistered": {
      const person = numbers.person(generation, event.data.email);
      after.register(person);
      people.add(person);
      return;
    }
    case "GroupCreated":
    case "GroupRenamed": {
      const group = numbers.group(generation, event.data.groupId);
      for (const name of after.names.from(group)) after.names.remove(group, name);
      after.names.add(group, numbers.principal(generation, "group", event.data.name));
      groups.add(group);
      return;
    }
    case "MembershipAdded":
    case "MembershipRemoved":
      return changeMembership(event, target, after, numbers);
    case "DocumentIndexed":
    case "DocumentDeleted": {
      const document = numbers.document(generation, event.data.documentId);
      target.documents.add(document);
      grant(document, event.type === "DocumentIndexed" ? event.data.access : nobody, { after, numbers, generation });
      return;
    }
    default:
      return;
  }
}

function changeMembership({ type, data: { groupId, member } }: MembershipEvent, { generation, people, groups }: Touched, after: WhoMaySee, numbers: Newcomers): void {
  const group = numbers.group(generation, groupId);
  const who = member.kind === "user" ? numbers.person(generation, member.email) : numbers.group(generation, member.groupId);
  (member.kind === "user" ? people : groups).add(who);
  const relation = member.kind === "user" ? after.members : after.nestings;
  if (type === "MembershipAdded") relation.add(who, group);
  else relation.remove(who, group);
}

/** A document that is there grants; one that is not grants nobody. */
function grant(document: number, { anonymous, users, groups }: DocumentAccess, { after, numbers, generation }: { readonly after: WhoMaySee; readonly numbers: Newcomers; readonly generation: GenerationOf }): void {
  const granted = new Set([
    ...(anonymous ? [numbers.principal(generation, "anonymous", "")] : []),
    ...users.map((email) => numbers.person(generation, email)),
    ...groups.map((name) => numbers.principal(generation, "group", name)),
  ]);
  const before = after.grants.from(document);
  for (const principal of before) if (!granted.has(principal)) after.grants.remove(document, principal);
  for (const principal of granted) if (!before.has(principal)) after.grants.add(document, principal);
}
