import { match } from "ts-pattern";
import type { DomainEvent } from "../../events/domainEvent.js";
import type { DocumentAccess } from "../../events/document.js";
import { permissionFactsOf, type FactAbout, type PermissionFact } from "../timeline/permissionFact.js";
import type { NumberedIncarnation, HypotheticalEntities } from "./hypotheticalEntities.js";
import type { WhoMaySee } from "./whoMaySee.js";

/** What events can have changed of one datasource: nobody and nothing else has to be looked at. */
export interface Touched {
  readonly incarnation: NumberedIncarnation;
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
  for (const fact of events.flatMap(permissionFactsOf)) {
    if (fact.about === "incarnation" && fact.kind === "opened") numbers.open(fact.datasourceId, fact.name);
    const incarnation = numbers.incarnation(fact.datasourceId);
    if (incarnation === null) continue;
    const target = touched.get(incarnation.number) ?? {
      ...{ incarnation, people: new Set(), groups: new Set(), documents: new Set() },
    };
    touched.set(incarnation.number, target);
    apply(fact, { target, after, numbers });
  }
  return [...touched.values()];
}

/** What a fact is brought into. */
interface Applied {
  readonly target: Touched;
  readonly after: WhoMaySee;
  readonly numbers: HypotheticalEntities;
}

const apply = (fact: PermissionFact, applied: Applied): void =>
  match(fact)
    .with({ about: "incarnation" }, (incarnation) => applyToIncarnation(incarnation, applied))
    .with({ about: "person" }, (person) => applyToPerson(person, applied))
    .with({ about: "group" }, (group) => applyToGroup(group, applied))
    .with({ about: "document" }, (document) => applyToDocument(document, applied))
    .exhaustive();

const applyToIncarnation = (fact: FactAbout<"incarnation">, { target, after, numbers }: Applied): void =>
  match(fact)
    .with({ kind: "opened" }, () => undefined)
    .with({ kind: "closed" }, () => {
      after.close(target.incarnation.number);
      for (const person of numbers.everybody(target.incarnation)) target.people.add(person);
    })
    .exhaustive();

function applyToPerson(fact: FactAbout<"person">, { target, after, numbers }: Applied): void {
  if (fact.kind === "renamed") return;
  const { incarnation, people } = target;
  const person = numbers.person(incarnation, fact.email);
  people.add(person);
  match(fact)
    .with({ kind: "registered" }, () => after.register(person))
    .with({ kind: "deleted" }, () => {
      after.deregister(person);
      for (const group of after.members.from(person)) after.members.remove(person, group);
    })
    .with({ kind: "joined" }, ({ groupId }) => {
      if (after.isThere(person, incarnation.number)) after.members.add(person, numbers.group(incarnation, groupId));
    })
    .with({ kind: "left" }, ({ groupId }) => after.members.remove(person, numbers.group(incarnation, groupId)))
    .exhaustive();
}

function applyToGroup(fact: FactAbout<"group">, { target, after, numbers }: Applied): void {
  const { incarnation, groups } = target;
  const group = numbers.group(incarnation, fact.groupId);
  groups.add(group);
  match(fact)
    .with({ kind: "created" }, { kind: "renamed" }, ({ name }) => {
      for (const before of after.names.from(group)) after.names.remove(group, before);
      after.names.add(group, numbers.principal(incarnation, "group", name));
    })
    .with({ kind: "deleted" }, () => {
      for (const name of after.names.from(group)) after.names.remove(group, name);
    })
    .with({ kind: "joined" }, ({ parentId }) => after.nestings.add(group, numbers.group(incarnation, parentId)))
    .with({ kind: "left" }, ({ parentId }) => after.nestings.remove(group, numbers.group(incarnation, parentId)))
    .exhaustive();
}

/** A document that is there grants; one that is not grants nobody. */
function applyToDocument(fact: FactAbout<"document">, { target, after, numbers }: Applied): void {
  const document = numbers.document(target.incarnation, fact.documentId);
  target.documents.add(document);
  const granted = match(fact)
    .returnType<ReadonlySet<number>>()
    .with({ kind: "indexed" }, ({ access }) => principalsIn(access, target, numbers))
    .with({ kind: "deleted" }, () => new Set())
    .exhaustive();
  const before = after.grants.from(document);
  for (const principal of before) if (!granted.has(principal)) after.grants.remove(document, principal);
  for (const principal of granted) if (!before.has(principal)) after.grants.add(document, principal);
}

const principalsIn = (
  { anonymous, users, groups }: DocumentAccess,
  { incarnation }: Touched,
  numbers: HypotheticalEntities,
): ReadonlySet<number> =>
  new Set([
    ...(anonymous ? [numbers.principal(incarnation, "anonymous", "")] : []),
    ...users.map((email) => numbers.person(incarnation, email)),
    ...groups.map((name) => numbers.principal(incarnation, "group", name)),
  ]);
