import { between, intersection, isNever, isSame, never, union, unionOf, type IntervalSet } from "./intervalSet.js";
import type { Edge, Incarnation, PermissionIntervals, Person } from "../ports/permissionHistory.js";
import type { Email } from "../../shared/ids.js";
import type { DocumentReference } from "../auditQueries.js";
import type { Via } from "../historyQuestions.js";

/** Keyed by number: when something held for it. */
type Times = ReadonlyMap<number, IntervalSet>;

/**
 * Follows edges from where something was so to wherever it was so through them: along a chain while all of its edges
 * held, along several whenever one of them did. Over time two groups may have contained each other, at no moment did
 * they, so this ends: nothing grows for ever.
 */
function spread(first: Times, edgesOf: (number: number) => readonly Edge[]): Times {
  const reached = new Map(first);
  const waiting = new Set(first.keys());
  for (const number of waiting) {
    // Taken out first: a set that is walked visits again what is put in again.
    waiting.delete(number);
    const times = reached.get(number) ?? never;
    for (const [next, opened, closed] of edgesOf(number)) {
      const through = intersection(times, between(opened, closed));
      const before = reached.get(next) ?? never;
      const after = isNever(through) ? before : union(before, through);
      if (isSame(before, after)) continue;
      reached.set(next, after);
      waiting.add(next);
    }
  }
  return reached;
}

/** What edges lead to, each with when. */
function timesOf(edges: Iterable<Edge>, within?: IntervalSet): Map<number, IntervalSet> {
  const times = new Map<number, IntervalSet>();
  for (const [other, opened, closed] of edges)
    add(times, other, within === undefined ? between(opened, closed) : intersection(between(opened, closed), within));
  return times;
}

/** Adds times to those of a number. What never was leaves no entry. */
function add(times: Map<number, IntervalSet>, number: number, set: IntervalSet): void {
  if (!isNever(set)) times.set(number, union(times.get(number) ?? never, set));
}

/** When a person was registered on an incarnation that was there. */
const presenceOf = (facts: PermissionIntervals, incarnation: Incarnation, person: number): IntervalSet =>
  intersection(unionOf(facts.personOf(person).registrations), between(incarnation.opened, incarnation.closed));

/** Whether a person was registered at a position. */
export const isRegisteredAt = ({ registrations }: Person, position: number): boolean =>
  registrations.some(([opened, closed]) => opened <= position && position < closed);

/** When a person held which principals: everybody's, the person's own, the names of groups. */
export function heldOver(facts: PermissionIntervals, incarnation: Incarnation, person: number): Times {
  const present = presenceOf(facts, incarnation, person);
  const held = new Map<number, IntervalSet>();
  if (isNever(present)) return held;
  const anonymous = facts.principal(incarnation.number, "anonymous", "");
  if (anonymous !== null) held.set(anonymous, present);
  held.set(person, present);
  const memberOf = spread(timesOf(facts.groupsOf(person), present), (group) => facts.parentsOf(group));
  for (const [group, times] of memberOf) {
    for (const [name, opened, closed] of facts.namesOf(group))
      add(held, name, intersection(times, between(opened, closed)));
  }
  return held;
}

/** When what a person held let the person see a document. */
export function timesVisible(facts: PermissionIntervals, held: Times, document: number): IntervalSet {
  let visible = never;
  for (const [principal, opened, closed] of facts.grantsOf(document)) {
    const times = held.get(principal);
    if (times !== undefined) visible = union(visible, intersection(times, between(opened, closed)));
  }
  return visible;
}

/** The people who could see a document, and when; the times when everybody registered could see it stand apart. */
interface Audience {
  readonly everybody: IntervalSet;
  readonly people: Times;
}

/** The audience that these grants make. It has yet to be intersected with when each person was present. */
export function audienceOf(facts: PermissionIntervals, grants: readonly Edge[]): Audience {
  let everybody: IntervalSet = never;
  const people = new Map<number, IntervalSet>();
  const groups = new Map<number, IntervalSet>();
  for (const [principal, opened, closed] of grants) {
    const times = between(opened, closed);
    const { kind } = facts.principalOf(principal);
    if (kind === "anonymous") everybody = union(everybody, times);
    else if (kind === "user") add(people, principal, times);
    else for (const [group, named] of timesOf(facts.groupsNamed(principal), times)) add(groups, group, named);
  }
  const inGroups = spread(groups, (group) => facts.childrenOf(group));
  for (const [group, times] of inGroups)
    for (const [person, joined] of timesOf(facts.membersOf(group), times)) add(people, person, joined);
  return { everybody, people };
}

/** When somebody could see a document. */
export interface VisibilityInterval {
  readonly incarnation: Incarnation;
  readonly person: number;
  readonly document: number;
  readonly times: IntervalSet;
}

const peopleAtOnce = 1_000;

/** When a person could see a document, over every incarnation of its datasource. */
export function* visibilityOfPair(
  facts: PermissionIntervals,
  user: Email,
  { datasource, documentId }: DocumentReference,
): Generator<VisibilityInterval> {
  for (const incarnation of facts.incarnations(datasource)) {
    const person = facts.person(incarnation.number, user);
    const document = facts.document(incarnation.number, documentId);
    if (person === null || document === null) continue;
    yield {
      incarnation,
      person: person.number,
      document,
      times: timesVisible(facts, heldOver(facts, incarnation, person.number), document),
    };
  }
}

/**
 * When a person could see what: by incarnation of a datasource, then in the order in which documents came first.
 */
export function* visibilityOfPerson(facts: PermissionIntervals, user: Email): Generator<VisibilityInterval> {
  for (const incarnation of facts.incarnations()) {
    const person = facts.person(incarnation.number, user);
    if (person === null) continue;
    const held = heldOver(facts, incarnation, person.number);
    const timesOfDocuments = new Map<number, IntervalSet>();
    for (const [principal, times] of held) {
      for (const [document, opened, closed] of facts.grantsTo(principal))
        add(timesOfDocuments, document, intersection(times, between(opened, closed)));
    }
    for (const document of [...timesOfDocuments.keys()].sort((a, b) => a - b)) {
      yield { incarnation, person: person.number, document, times: timesOfDocuments.get(document) ?? never };
    }
  }
}

/** When each person could see a document: by incarnation of its datasource, then by email. */
export function* visibilityOfDocument(
  facts: PermissionIntervals,
  { datasource, documentId }: DocumentReference,
): Generator<VisibilityInterval> {
  for (const incarnation of facts.incarnations(datasource)) {
    const document = facts.document(incarnation.number, documentId);
    if (document === null) continue;
    const audience = audienceOf(facts, facts.grantsOf(document));
    for (const [person, times] of peopleOf(facts, incarnation, audience))
      yield { incarnation, person, document, times };
  }
}

/** The people of an audience by email, each with when they could see the document: only while they were registered. */
export function* peopleOf(
  facts: PermissionIntervals,
  incarnation: Incarnation,
  { everybody, people }: Audience,
): Generator<readonly [person: number, times: IntervalSet]> {
  const numbers = everybody.length > 0 ? everyone(facts, incarnation) : byEmail(facts, people.keys());
  for (const person of numbers) {
    const times = intersection(union(everybody, people.get(person) ?? never), presenceOf(facts, incarnation, person));
    if (times.length > 0) yield [person, times];
  }
}

/** Numbers of people, in the order of their emails. */
export const byEmail = (facts: PermissionIntervals, people: Iterable<number>): readonly number[] =>
  Array.from(people, (number) => facts.personOf(number))
    .sort((a, b) => (a.email < b.email ? -1 : 1))
    .map(({ number }) => number);

/** Everybody who was ever registered, in the order of their emails. */
function* everyone(facts: PermissionIntervals, { number }: Incarnation): Generator<number> {
  for (let after = ""; ;) {
    const people = facts.people(number, after, peopleAtOnce);
    for (const person of people) yield person.number;
    const last = people.at(-1);
    if (last === undefined) return;
    after = last.email;
  }
}

export const viaAnonymous: Via = { grant: "anonymous", groups: [] };
const viaDefault: Via = { ...viaAnonymous, by_default: true };

/** How everybody registered sees a document at the facts' moment. */
export const viaEverybody = (facts: PermissionIntervals, document: number): Via =>
  isByDefaultAt(facts, document, facts.position) ? viaDefault : viaAnonymous;

/** Whether the datasource decided who sees a document. */
export const isByDefaultAt = (facts: PermissionIntervals, document: number, position: number): boolean =>
  facts.byDefault(document).some(([opened, closed]) => opened <= position && position < closed);

export const viaUser: Via = { grant: "user", groups: [] };

/** Groups that were reached from some first ones, each with the one that it was reached from. */
export type Reached = ReadonlyMap<number, number | null>;

/** Everything that can be reached along the edges, the nearest first, each on its first shortest way. */
export function reach(first: Iterable<number>, edgesOf: (group: number) => readonly Edge[]): Reached {
  const reached = new Map<number, number | null>();
  for (const group of first) reached.set(group, null);
  for (const group of reached.keys()) {
    // A map keeps its order and takes additions while it is walked: this is the queue of a breadth-first search.
    for (const [next] of edgesOf(group)) if (!reached.has(next)) reached.set(next, group);
  }
  return reached;
}

/** The way back from a group to where the search began: that group first. */
export function wayBack(reached: Reached, from: number): number[] {
  const way: number[] = [];
  for (let group: number | null = from; group !== null; group = reached.get(group) ?? null) way.push(group);
  return way;
}

/** The name that a group has at this moment. */
export function nameOf(facts: PermissionIntervals, group: number): string {
  const principal = facts.namesOf(group).at(-1)?.[0];
  return principal === undefined ? "" : facts.principalOf(principal).name;
}
