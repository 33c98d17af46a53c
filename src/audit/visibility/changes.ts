import type { Email } from "../../shared/ids.js";
import type { DocumentReference, ExplainedFact } from "../auditFacts.js";
import type { Edge, Incarnation, PermissionHistory, PermissionIntervals, Person } from "../ports/permissionHistory.js";
import { reach } from "./overTime.js";
import {
  entriesOfDocument,
  entriesOfUser,
  explain,
  joinedAndLeft,
  membersOf,
  nameAt,
  namings,
  registrationsOf,
  upToClosing,
  type Entry,
} from "./historyEntries.js";

/**
 * The changes of every link that ever lay on a way from a document to a person: between two of them the person either
 * sees the document all the time or never. For a document or a person alone: its own changes, and those of the groups
 * that it leads to.
 */
export function entriesBetween(
  facts: PermissionIntervals,
  document: DocumentReference | null,
  user: Email | null,
): readonly Entry[] {
  if (document === null) return user === null ? [] : [...entriesOfUser(facts, user), ...graphAbove(facts, user)];
  const { datasource } = document;
  return [
    ...entriesOfDocument(facts, document),
    ...facts.incarnations(datasource).flatMap((incarnation) => {
      const below = groupsEverBelow(facts, incarnation, document);
      if (user === null) return withPeople(facts, incarnation, below);
      const person = facts.person(incarnation.number, user);
      return person === null ? [] : ofPerson(facts, incarnation, person, below);
    }),
  ];
}

/** The entries, newest first, each with the event that it comes from; two of one event in the order of their words. */
export function* newestFirst(history: PermissionHistory, entries: readonly Entry[]): Generator<ExplainedFact> {
  const told = new Map(entries.map((entry) => [`${entry[0]} ${entry[1]}`, entry]));
  for (const entry of [...told.values()].toSorted(([a, x], [b, y]) => b - a || (x < y ? -1 : 1))) {
    const explained = explain(history, entry);
    if (explained !== null) yield explained;
  }
}

const withPeople = (
  facts: PermissionIntervals,
  incarnation: Incarnation,
  groups: ReadonlySet<number>,
): readonly Entry[] =>
  upToClosing(incarnation, [...graphOf(facts, groups), ...[...groups].flatMap((group) => membersOf(facts, group))]);

function ofPerson(
  facts: PermissionIntervals,
  incarnation: Incarnation,
  person: Person,
  below: ReadonlySet<number>,
): readonly Entry[] {
  const above = groupsEverAbove(facts, person);
  const between = new Set([...below].filter((group) => above.has(group)));
  const memberships = facts.groupsOf(person.number).filter(([group]) => between.has(group));
  return upToClosing(incarnation, [
    ...registrationsOf(person, incarnation),
    ...joinedAndLeft(facts, () => person.email, memberships),
    ...graphOf(facts, between),
  ]);
}

const graphAbove = (facts: PermissionIntervals, user: Email): readonly Entry[] =>
  facts.incarnations().flatMap((incarnation) => {
    const person = facts.person(incarnation.number, user);
    return person === null ? [] : graphOf(facts, groupsEverAbove(facts, person));
  });

/** What these groups were called, and which of them contained each other. */
const graphOf = (facts: PermissionIntervals, groups: ReadonlySet<number>): Entry[] =>
  [...groups].flatMap((group) => {
    const inside = facts.childrenOf(group).filter(([member]) => groups.has(member));
    return [...namings(facts, group), ...inside.flatMap((edge) => nestingIn(facts, group, edge))];
  });

const nestingIn = (facts: PermissionIntervals, group: number, [member, opened, closed]: Edge): Entry[] =>
  joinedAndLeft(facts, (position) => `the group ${nameAt(facts, member, position)}`, [[group, opened, closed]]);

function groupsEverBelow(
  facts: PermissionIntervals,
  incarnation: Incarnation,
  { documentId }: DocumentReference,
): ReadonlySet<number> {
  const document = facts.document(incarnation.number, documentId);
  const granted = document === null ? [] : facts.grantsOf(document);
  const groups = granted.flatMap(([principal]) => facts.groupsNamed(principal).map(([group]) => group));
  return new Set(reach(groups, (group) => facts.childrenOf(group)).keys());
}

function groupsEverAbove(facts: PermissionIntervals, { number }: Person): ReadonlySet<number> {
  const direct = facts.groupsOf(number).map(([group]) => group);
  return new Set(reach(direct, (group) => facts.parentsOf(group)).keys());
}
