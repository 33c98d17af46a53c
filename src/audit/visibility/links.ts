import type { Email } from "../../shared/ids.js";
import type { DocumentReference } from "../auditFacts.js";
import { documentName, type HistoryAnswer, type LinkItem, type NothingFound, type Place } from "../historyQuestions.js";
import type { Incarnation, PermissionHistory, PermissionIntervals, Person } from "../ports/permissionHistory.js";
import { isByDefaultAt, reach, nameOf, isRegisteredAt } from "./overTime.js";
import { explain, type Entry } from "./historyEntries.js";

/** A link, before the event that made it is looked up. */
export interface Link extends Pick<LinkItem, "link" | "from" | "to"> {
  readonly entry: Entry;
}

/** An edge of a document, and the group that bears the name that it grants; null where none does, or none is named. */
interface Grant {
  readonly principal: number;
  readonly opened: number;
  readonly group: number | null;
}

/**
 * Every link on the ways from a document to a person. Where there is no way: what leads from the document to groups,
 * and from groups to the person, so that one sees what is missing between them.
 */
export function linksBetween(
  facts: PermissionIntervals,
  incarnation: Incarnation,
  { documentId }: DocumentReference,
  user: Email,
): readonly Link[] | null {
  const document = existing(facts, incarnation, documentId);
  if (document === null) return null;
  const grants = grantsOf(facts, document);
  const person = facts.person(incarnation.number, user);
  const registered = person !== null && isRegisteredAt(person, facts.position) ? person : null;
  const below = groupsBelow(facts, grants);
  const above = registered === null ? new Set<number>() : groupsAbove(facts, registered);
  const between = new Set([...below].filter((group) => above.has(group)));
  const isNamed = grants.some(({ principal }) => principal === person?.number || isEverybody(facts, principal));
  const isWay = between.size > 0 || (registered !== null && isNamed);
  const groups = isWay ? between : new Set([...below, ...above]);
  const isShown = ({ principal, group }: Grant): boolean => {
    if (facts.principalOf(principal).kind === "user") return principal === person?.number;
    return isEverybody(facts, principal) || (group === null ? !isWay : groups.has(group));
  };
  const shown = grants.filter(isShown);
  return [
    ...grantLinks(facts, incarnation, document, shown, {}),
    ...nestingLinks(facts, incarnation, groups, {}),
    ...(registered === null ? [] : membershipLinks(facts, incarnation, registered, groups, {})),
    ...(registered !== null && shown.some(({ principal }) => isEverybody(facts, principal))
      ? [registrationLink(facts, incarnation, registered, {})]
      : []),
  ];
}

/**
 * How many people of a group, or documents of a place, have links of their own beside the picture's others. More are
 * counted, and listed by {@link linksOfGroup}.
 */
const fewAtOnce = 8;

/** Every link from a document to whom it names, and to the groups in these; with how many people each group has. */
export function linksOfDocument(
  facts: PermissionIntervals,
  incarnation: Incarnation,
  { documentId }: DocumentReference,
): readonly Link[] | null {
  const document = existing(facts, incarnation, documentId);
  if (document === null) return null;
  const grants = grantsOf(facts, document);
  const groups = groupsBelow(facts, grants);
  const counts: Counts = {
    everybody: () => ({ people: facts.countPeople(incarnation.number) }),
    group: (group) => ({ people: peopleOf(facts, group).length }),
  };
  return [
    ...grantLinks(facts, incarnation, document, grants, counts),
    ...nestingLinks(facts, incarnation, groups, counts),
    ...[...groups].flatMap((group) => fewPeopleOf(facts, groupPlace(facts, incarnation, group, counts), group)),
  ];
}

const fewPeopleOf = (facts: PermissionIntervals, place: Place, group: number): readonly Link[] => {
  const people = peopleOf(facts, group);
  return people.length > fewAtOnce
    ? []
    : people.map(({ person, opened }) => membershipLink(place, personPlace(facts, person, {}), opened));
};

/**
 * Every link from a person to groups, and to those above them; with how many documents grant each of them something.
 */
export function linksOfPerson(
  facts: PermissionIntervals,
  incarnations: readonly Incarnation[],
  user: Email,
): readonly Link[] | null {
  const present = incarnations.flatMap((incarnation) => {
    const person = facts.person(incarnation.number, user);
    return person !== null && isRegisteredAt(person, facts.position) ? [{ incarnation, person }] : [];
  });
  if (present.length === 0) return null;
  const documentsOf = (principals: readonly number[]): number =>
    principals.reduce((sum, principal) => sum + facts.grantsTo(principal).length, 0);
  const own = documentsOf(present.map(({ person }) => person.number));
  return present.flatMap(({ incarnation, person }) => {
    const groups = groupsAbove(facts, person);
    const counts: Counts = {
      everybody: () => ({ documents: documentsOf(anonymousOf(facts, incarnation)) }),
      person: () => ({ documents: own }),
      group: (group) => ({ documents: documentsOf(facts.namesOf(group).map(([principal]) => principal)) }),
    };
    return [
      registrationLink(facts, incarnation, person, counts),
      ...membershipLinks(facts, incarnation, person, groups, counts),
      ...nestingLinks(facts, incarnation, groups, counts),
      ...fewDocumentsOf(facts, incarnation, personPlace(facts, person, counts), [person.number]),
      ...fewDocumentsOf(facts, incarnation, everybodyPlace(incarnation, counts), anonymousOf(facts, incarnation)),
      ...[...groups].flatMap((group) => {
        const names = facts.namesOf(group).map(([principal]) => principal);
        return fewDocumentsOf(facts, incarnation, groupPlace(facts, incarnation, group, counts), names);
      }),
    ];
  });
}

const anonymousOf = (facts: PermissionIntervals, { number }: Incarnation): readonly number[] => {
  const anonymous = facts.principal(number, "anonymous", "");
  return anonymous === null ? [] : [anonymous];
};

const fewDocumentsOf = (
  facts: PermissionIntervals,
  incarnation: Incarnation,
  place: Place,
  principals: readonly number[],
): readonly Link[] => {
  if ((place.documents ?? 0) > fewAtOnce) return [];
  return principals
    .flatMap((principal) => facts.grantsTo(principal))
    .map(([document, opened]) => grantLink(documentPlace(facts, incarnation, document), place, opened));
};

/** A link for everybody who is in a group itself, or for every document that grants it something. */
export function linksOfGroup(
  facts: PermissionIntervals,
  incarnation: Incarnation,
  group: number,
  of: "people" | "documents",
): readonly Link[] {
  const to = groupPlace(facts, incarnation, group, {});
  if (of === "people") {
    const people = peopleOf(facts, group).toSorted((a, b) => (a.person.email < b.person.email ? -1 : 1));
    return people.map(({ person, opened }) => membershipLink(to, personPlace(facts, person, {}), opened));
  }
  const grants = facts.namesOf(group).flatMap(([principal]) => facts.grantsTo(principal));
  return grants
    .toSorted(([a], [b]) => a - b)
    .map(([document, opened]) => grantLink(documentPlace(facts, incarnation, document), to, opened));
}

/** Links with the events that made them, looked up as they are taken. */
export const explained = (history: PermissionHistory, links: readonly Link[]): HistoryAnswer<LinkItem> => ({
  items: explainEach(history, links),
  total: links.length,
});

function* explainEach(history: PermissionHistory, links: readonly Link[]): Generator<LinkItem> {
  for (const { link, from, to, entry } of links) {
    const fact = explain(history, entry);
    if (fact !== null) yield { link, from, to, ...fact };
  }
}

/** There is no such document at the facts' moment. */
export const noDocument = ({ datasource, documentId }: DocumentReference): NothingFound => ({
  kind: "document_absent",
  detail: `There was no document "${documentName(datasource, documentId)}".`,
});

const existing = (
  facts: PermissionIntervals,
  incarnation: Incarnation,
  id: DocumentReference["documentId"],
): number | null => {
  const document = facts.document(incarnation.number, id);
  return document === null || facts.existences(document).length === 0 ? null : document;
};

const isEverybody = (facts: PermissionIntervals, principal: number): boolean =>
  facts.principalOf(principal).kind === "anonymous";

const grantsOf = (facts: PermissionIntervals, document: number): readonly Grant[] =>
  facts.grantsOf(document).map(([principal, opened]) => {
    const isOfGroup = facts.principalOf(principal).kind === "group";
    return { principal, opened, group: isOfGroup ? (facts.groupsNamed(principal)[0]?.[0] ?? null) : null };
  });

function groupsBelow(facts: PermissionIntervals, grants: readonly Grant[]): ReadonlySet<number> {
  const granted = grants.flatMap(({ group }) => (group === null ? [] : [group]));
  return new Set(reach(granted, (group) => facts.childrenOf(group)).keys());
}

function groupsAbove(facts: PermissionIntervals, { number }: Person): ReadonlySet<number> {
  const direct = facts.groupsOf(number).map(([group]) => group);
  return new Set(reach(direct, (group) => facts.parentsOf(group)).keys());
}

const peopleOf = (
  facts: PermissionIntervals,
  group: number,
): readonly { readonly person: Person; readonly opened: number }[] =>
  facts
    .membersOf(group)
    .map(([number, opened]) => ({ person: facts.personOf(number), opened }))
    .filter(({ person }) => isRegisteredAt(person, facts.position));

function grantLinks(
  facts: PermissionIntervals,
  incarnation: Incarnation,
  document: number,
  grants: readonly Grant[],
  counts: Counts,
): Link[] {
  const from = documentPlace(facts, incarnation, document);
  return grants.map(({ principal, opened, group }) => {
    const { kind, name } = facts.principalOf(principal);
    const isByDefault = kind === "anonymous" && isByDefaultAt(facts, document, facts.position);
    if (kind === "anonymous") return grantLink(from, everybodyPlace(incarnation, counts), opened, isByDefault);
    if (kind === "user") return grantLink(from, personPlace(facts, facts.personOf(principal), counts), opened);
    const to: Place =
      group === null
        ? { kind, name: `${incarnation.name}/${name}`, absent: true }
        : groupPlace(facts, incarnation, group, counts);
    return grantLink(from, to, opened);
  });
}

const grantLink = (from: Place, to: Place, opened: number, isByDefault = false): Link => ({
  link: "grant",
  from,
  to,
  entry: [opened, `${from.name} grants ${said(to)}`, isByDefault],
});

const nestingLinks = (
  facts: PermissionIntervals,
  incarnation: Incarnation,
  groups: ReadonlySet<number>,
  counts: Counts,
): Link[] => {
  const places = new Map([...groups].map((group) => [group, groupPlace(facts, incarnation, group, counts)]));
  return [...places].flatMap(([group, from]) =>
    facts.childrenOf(group).flatMap(([member, opened]): Link[] => {
      const to = places.get(member);
      return to === undefined
        ? []
        : [{ link: "nesting", from, to, entry: [opened, `${said(from)} contains ${said(to)}`] }];
    }),
  );
};

function membershipLinks(
  facts: PermissionIntervals,
  incarnation: Incarnation,
  person: Person,
  groups: ReadonlySet<number>,
  counts: Counts,
): Link[] {
  const to = personPlace(facts, person, counts);
  return facts
    .groupsOf(person.number)
    .filter(([group]) => groups.has(group))
    .map(([group, opened]) => membershipLink(groupPlace(facts, incarnation, group, counts), to, opened));
}

const membershipLink = (from: Place, to: Place, opened: number): Link => ({
  link: "membership",
  from,
  to,
  entry: [opened, `${said(from)} contains ${to.name}`],
});

function registrationLink(facts: PermissionIntervals, incarnation: Incarnation, person: Person, counts: Counts): Link {
  const [opened] = person.registrations.findLast(([from]) => from <= facts.position) ?? [incarnation.opened];
  const to = personPlace(facts, person, counts);
  const fact = `${person.email} is registered on ${incarnation.name}`;
  return { link: "registration", from: everybodyPlace(incarnation, counts), to, entry: [opened, fact] };
}

/** What is counted of places. */
interface Counts {
  readonly everybody?: () => Pick<Place, "people" | "documents">;
  readonly person?: () => Pick<Place, "documents">;
  readonly group?: (group: number) => Pick<Place, "people" | "documents">;
}

/** A document, as `datasource/id`. */
const documentPlace = (facts: PermissionIntervals, { name }: Incarnation, document: number): Place => ({
  kind: "document",
  name: documentName(name, facts.documentIdOf(document)),
});

/** Everybody who is registered on a datasource. */
const everybodyPlace = ({ name }: Incarnation, counts: Counts): Place => ({
  kind: "everybody",
  name,
  ...counts.everybody?.(),
});

/** A group, as `datasource/group`. */
const groupPlace = (facts: PermissionIntervals, { name }: Incarnation, group: number, counts: Counts): Place => ({
  kind: "group",
  name: `${name}/${nameOf(facts, group)}`,
  ...counts.group?.(group),
});

/** A person, by email. */
const personPlace = (facts: PermissionIntervals, person: Person, counts: Counts): Place => ({
  kind: "person",
  name: person.email,
  ...counts.person?.(),
  ...(!isRegisteredAt(person, facts.position) && { absent: true }),
});

/** A group without its datasource, as sentences of other answers name it. */
function said({ kind, name }: Place): string {
  if (kind === "everybody") return `everybody who is registered on ${name}`;
  return kind === "group" ? `the group ${name.slice(name.indexOf("/") + 1)}` : name;
}
