import { between, intersection, isNever, isSame, never, union, unionOf, type IntervalSet } from "./intervalSet.js";
import type { Edge, Incarnation, PermissionIntervals, Person } from "../ports/permissionHistory.js";

/** Keyed by number: when something held for it. */
export type Times = ReadonlyMap<number, IntervalSet>;

/**
 * Follows edges from where something was so to wherever it was so through them: along a chain while all of its edges
 * held, along several whenever one of them did. Over time two groups may have contained each other, at no moment did
 * they, so this ends: nothing grows for ever.
 */
export function spread(first: Times, edgesOf: (number: number) => readonly Edge[]): Times {
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
export function timesOf(edges: Iterable<Edge>, within?: IntervalSet): Map<number, IntervalSet> {
  const times = new Map<number, IntervalSet>();
  for (const [other, opened, closed] of edges)
    add(times, other, within === undefined ? between(opened, closed) : intersection(between(opened, closed), within));
  return times;
}

/** Adds times to those of a number. What never was leaves no entry. */
export function add(times: Map<number, IntervalSet>, number: number, set: IntervalSet): void {
  if (!isNever(set)) times.set(number, union(times.get(number) ?? never, set));
}

/** When a person was registered on an incarnation that was there. */
export const presenceOf = (facts: PermissionIntervals, incarnation: Incarnation, person: number): IntervalSet =>
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

/** Who could see a document when. When everybody registered could see it is told apart. */
export interface Audience {
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
