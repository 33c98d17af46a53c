import { match } from "ts-pattern";
import {
  toDocumentId,
  type DatasourceId,
  type DatasourceName,
  type DocumentId,
  type Email,
  type GroupId,
} from "../../shared/ids.js";
import {
  documentName,
  largestTotal,
  type ChangedItem,
  type DifferenceQuestion,
  type HistoryAnswer,
  type Via,
} from "../historyQuestions.js";
import type { PermissionIntervals, PrincipalKind } from "../ports/permissionHistory.js";
import type { DomainEvent } from "../../events/domainEvent.js";
import { WhoMaySee, firstHypotheticalEntity } from "./whoMaySee.js";
import { viaAnonymous, viaUser } from "../visibility/overTime.js";
import type { DocumentAccess } from "../../events/document.js";
import { permissionFactsOf, type FactAbout, type PermissionFact } from "../timeline/permissionFact.js";

/**
 * The people who would gain or lose sight of documents if these events were the next in the log. There may be any
 * number of changes; {@link mostCounted} are counted.
 */
export function whoWouldSee(
  facts: PermissionIntervals,
  { change, events }: DifferenceQuestion,
): HistoryAnswer<ChangedItem> {
  const difference = differenceOf(facts, events);
  const changed = difference.changedFor(change);
  const counted: ChangedVisibility[] = [];
  for (let next = changed.next(); next.done !== true; next = changed.next()) {
    counted.push(next.value);
    if (counted.length === largestTotal) break;
  }
  return { items: itemsOf(inTurn(counted, changed), difference, change), total: counted.length };
}

function* inTurn<Item>(first: Iterable<Item>, rest: Iterable<Item>): Generator<Item> {
  yield* first;
  yield* rest;
}

function* itemsOf(
  changes: Iterable<ChangedVisibility>,
  { before, after, numbers }: Difference,
  change: DifferenceQuestion["change"],
): Generator<ChangedItem> {
  const side = change === "gains" ? after : before;
  for (const changed of changes) {
    const document = documentName(changed.incarnation.name, toDocumentId(numbers.documentIdOf(changed.document)));
    yield {
      user_email: numbers.nameOf(changed.person),
      document,
      via: viaOf(changed, side, numbers),
    };
  }
}

/** Both sides of a change, with what differs between them. */
interface Difference {
  readonly before: WhoMaySee;
  readonly after: WhoMaySee;
  readonly numbers: HypotheticalEntities;
  /** The people and the documents of which they would gain or lose sight. Ends where the caller takes no more. */
  changedFor(change: "gains" | "losses"): Generator<ChangedVisibility>;
}

/**
 * What events would change for whom, on top of what was so at a moment. Only people and documents that the events touch
 * are looked at; people who hold the same are looked at together.
 */
function differenceOf(facts: PermissionIntervals, events: readonly DomainEvent[]): Difference {
  const [before, after, numbers] = [new WhoMaySee(facts), new WhoMaySee(facts), new HypotheticalEntities(facts)];
  const touched = applyEvents(events, after, numbers);
  for (const { people, groups } of touched) {
    for (const side of [before, after]) for (const person of side.peopleIn(groups)) people.add(person);
  }
  return {
    before,
    after,
    numbers,
    *changedFor(change) {
      const [without, withIt] = change === "gains" ? [before, after] : [after, before];
      for (const each of touched) {
        yield* visibilityOfPeople(each, { without, withIt, numbers });
        yield* visibilityOfDocuments(each, { without, withIt, numbers });
      }
    },
  };
}

/** The shortest chain through which a person sees a document, on a side where that is so. */
function viaOf(
  { incarnation, person, document }: ChangedVisibility,
  side: WhoMaySee,
  numbers: HypotheticalEntities,
): Via {
  const granted = side.grants.from(document);
  if (granted.has(numbers.principal(incarnation, "anonymous", ""))) return viaAnonymous;
  if (granted.has(person)) return viaUser;
  // Each group with the one below it on the way from the person; breadth first, while the map grows.
  const below = new Map<number, number | null>();
  for (const group of side.members.from(person)) below.set(group, null);
  for (const group of below.keys()) {
    if ([...side.names.from(group)].some((name) => granted.has(name)))
      return { grant: "group", groups: namesDown(group, below, side, numbers) };
    for (const parent of side.nestings.from(group)) if (!below.has(parent)) below.set(parent, group);
  }
  return { grant: "group", groups: [] };
}

function namesDown(
  from: number,
  below: ReadonlyMap<number, number | null>,
  side: WhoMaySee,
  numbers: HypotheticalEntities,
): string[] {
  const names: string[] = [];
  for (let group: number | null = from; group !== null; group = below.get(group) ?? null)
    names.push(...Array.from(side.names.from(group), (name) => numbers.nameOf(name)));
  return names;
}

/** A person who sees a document on one side of a change and not on the other; by their numbers. */
interface ChangedVisibility {
  readonly incarnation: NumberedIncarnation;
  readonly person: number;
  readonly document: number;
}

/** Both sides of a change: what is seen `withIt` and not `without` it is looked for. */
interface Sides {
  readonly without: WhoMaySee;
  readonly withIt: WhoMaySee;
  readonly numbers: HypotheticalEntities;
}

/** What a person holds on one side besides being that person; empty for a person who is not there. */
type HeldPrincipals = ReadonlySet<number>;

const noPrincipals: ReadonlySet<number> = new Set();

/**
 * Changes for people who are touched themselves. People who hold the same tokens are looked at once, except for
 * documents that name them in person.
 */
function* visibilityOfPeople(touched: AffectedSubjects, sides: Sides): Generator<ChangedVisibility> {
  const { incarnation, people, documents } = touched;
  const { without, withIt, numbers } = sides;
  const anonymous = numbers.principal(incarnation, "anonymous", "");
  const heldOn = (side: WhoMaySee, person: number): HeldPrincipals =>
    side.isThere(person, incarnation.number) ? new Set([anonymous, ...side.groupNamesOf(person)]) : noPrincipals;
  const known = new Map<string, ReadonlySet<number>>();
  for (const person of people) {
    const [held, heldWithout] = [heldOn(withIt, person), heldOn(without, person)];
    if (held.size === 0) continue;
    const key = [...held, "", ...heldWithout].join();
    const seen = known.get(key) ?? throughHeld(held, heldWithout, documents, sides);
    known.set(key, seen);
    const namedWithout = heldWithout.size === 0 ? noPrincipals : without.grants.to(person);
    for (const document of seen) if (!namedWithout.has(document)) yield { incarnation, person, document };
    for (const document of withIt.grants.to(person)) {
      const sawBefore = namedWithout.has(document) || shares(without.grants.from(document), heldWithout);
      if (!sawBefore && !seen.has(document)) yield { incarnation, person, document };
    }
  }
}

/** Documents that grant something that is held with the change, and nothing of what is held without it. */
function throughHeld(
  held: HeldPrincipals,
  heldWithout: HeldPrincipals,
  documents: ReadonlySet<number>,
  { without, withIt }: Sides,
): ReadonlySet<number> {
  const candidates = new Set<number>();
  const newlyHeld = [...held].filter((principal) => !heldWithout.has(principal));
  for (const principal of newlyHeld) for (const document of withIt.grants.to(principal)) candidates.add(document);
  for (const document of documents) if (shares(withIt.grants.from(document), held)) candidates.add(document);
  for (const document of candidates)
    if (shares(without.grants.from(document), heldWithout)) candidates.delete(document);
  return candidates;
}

/** Changes for people who are not touched, by documents that are: these people hold the same on both sides. */
function* visibilityOfDocuments(
  { incarnation, people, documents }: AffectedSubjects,
  { without, withIt, numbers }: Sides,
): Generator<ChangedVisibility> {
  const anonymous = numbers.principal(incarnation, "anonymous", "");
  for (const document of documents) {
    const grantedWithout = without.grants.from(document);
    const newlyGranted = [...withIt.grants.from(document)].filter((principal) => !grantedWithout.has(principal));
    const candidates = newlyGranted.flatMap((principal) => [...numbers.holders(incarnation, principal, withIt)]);
    for (const person of new Set(candidates)) {
      if (people.has(person) || !withIt.isThere(person, incarnation.number)) continue;
      if (!shares(grantedWithout, new Set([anonymous, person, ...without.groupNamesOf(person)])))
        yield { incarnation, person, document };
    }
  }
}

function shares(granted: ReadonlySet<number>, held: ReadonlySet<number>): boolean {
  for (const principal of granted) if (held.has(principal)) return true;
  return false;
}

const peopleAtOnce = 10_000;

/** The number of an incarnation, and what it is called. */
interface NumberedIncarnation {
  readonly number: number;
  readonly name: DatasourceName;
}

/** The numbers of the permission history, and negative ones for what it does not hold yet: each is given out once. */
class HypotheticalEntities {
  private next = firstHypotheticalEntity;
  private readonly known = new Map<string, number>();
  private readonly texts = new Map<number, string>();
  private readonly kinds = new Map<number, PrincipalKind>();
  private readonly incarnations = new Map<DatasourceId, NumberedIncarnation>();

  constructor(private readonly facts: PermissionIntervals) {
    for (const { datasourceId, number, name } of facts.incarnations())
      this.incarnations.set(datasourceId, { number, name });
  }

  /** Gives a new incarnation its number. */
  open(datasourceId: DatasourceId, name: DatasourceName): void {
    this.incarnations.set(datasourceId, { number: this.next--, name });
  }

  /** null for an incarnation that ended before the moment. */
  incarnation(datasourceId: DatasourceId): NumberedIncarnation | null {
    return this.incarnations.get(datasourceId) ?? null;
  }

  principal({ number }: NumberedIncarnation, kind: PrincipalKind, name: string): number {
    const principal = this.numberOf(
      `${kind} ${number} ${name}`,
      name,
      () => this.facts.principal(number, kind, name),
      number,
    );
    if (principal <= firstHypotheticalEntity) this.kinds.set(principal, kind);
    return principal;
  }

  person(incarnation: NumberedIncarnation, email: Email): number {
    return this.principal(incarnation, "user", email);
  }

  group({ number }: NumberedIncarnation, groupId: GroupId): number {
    return this.numberOf(`id ${number} ${groupId}`, groupId, () => this.facts.group(number, groupId), number);
  }

  document({ number }: NumberedIncarnation, documentId: DocumentId): number {
    return this.numberOf(
      `document ${number} ${documentId}`,
      documentId,
      () => this.facts.document(number, documentId),
      number,
    );
  }

  /** The people who may hold a principal, registered or not. */
  holders(incarnation: NumberedIncarnation, principal: number, side: WhoMaySee): Iterable<number> {
    const kind =
      principal <= firstHypotheticalEntity ? this.kinds.get(principal) : this.facts.principalOf(principal).kind;
    if (kind === "anonymous") return this.everybody(incarnation);
    return kind === "group" ? side.peopleIn(side.names.to(principal)) : [principal];
  }

  /** People who were ever registered; none for an incarnation that is new itself. */
  *everybody({ number }: NumberedIncarnation): Generator<number> {
    if (number <= firstHypotheticalEntity) return;
    for (let after = ""; ;) {
      const people = this.facts.people(number, after, peopleAtOnce);
      for (const person of people) yield person.number;
      const last = people.at(-1);
      if (last === undefined) return;
      after = last.email;
    }
  }

  /** What a principal is called. */
  nameOf(principal: number): string {
    return principal <= firstHypotheticalEntity
      ? (this.texts.get(principal) ?? "")
      : this.facts.principalOf(principal).name;
  }

  documentIdOf(document: number): string {
    return document <= firstHypotheticalEntity ? (this.texts.get(document) ?? "") : this.facts.documentIdOf(document);
  }

  /** Nothing can be known of an incarnation that is hypothetical itself. */
  private numberOf(key: string, text: string, find: () => number | null, incarnation: number): number {
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const found = incarnation <= firstHypotheticalEntity ? null : find();
    const number = found ?? this.next--;
    this.known.set(key, number);
    if (found === null) this.texts.set(number, text);
    return number;
  }
}

/** What events can have changed of one datasource: nobody and nothing else has to be looked at. */
interface AffectedSubjects {
  readonly incarnation: NumberedIncarnation;
  /** People who hold other principals than before, or who were there and are not, or the other way round. */
  readonly people: Set<number>;
  /** Groups that were renamed, or joined or left another one. */
  readonly groups: Set<number>;
  /** Documents that were indexed or deleted. */
  readonly documents: Set<number>;
}

/** Brings events into `after`, and tells what they touch. */
function applyEvents(
  events: readonly DomainEvent[],
  after: WhoMaySee,
  numbers: HypotheticalEntities,
): readonly AffectedSubjects[] {
  const touched = new Map<number, AffectedSubjects>();
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
  readonly target: AffectedSubjects;
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
  { incarnation }: AffectedSubjects,
  numbers: HypotheticalEntities,
): ReadonlySet<number> =>
  new Set([
    ...(anonymous ? [numbers.principal(incarnation, "anonymous", "")] : []),
    ...users.map((email) => numbers.person(incarnation, email)),
    ...groups.map((name) => numbers.principal(incarnation, "group", name)),
  ]);
