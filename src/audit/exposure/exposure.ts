import {
  reach,
  byEmail,
  peopleOf,
  type VisibilityInterval,
  audienceOf,
  heldOver,
  timesVisible,
} from "../visibility/overTime.js";
import { difference, isSame, never, type IntervalSet } from "../visibility/intervalSet.js";
import type { Edge, Incarnation, PermissionIntervals } from "../ports/permissionHistory.js";

/**
 * Everything that these facts made visible and nothing else did: what is so with them, less what would have been so
 * without them. By email, then in the order in which documents were first indexed. The facts are of one kind, opened by
 * one event. Yields null after each person, so that a page can end there.
 */
export function* exposureOf(
  facts: PermissionIntervals,
  incarnation: Incarnation,
  fact: ExposedFact,
): Generator<VisibilityInterval | null> {
  if (fact.kind === "grants") {
    for (const document of new Set(fact.grants.map(([each]) => each)))
      yield* exposedDocument(facts, incarnation, document, counterfactual(facts, fact));
    return;
  }
  const remembered = rememberEdges(facts);
  const without = counterfactual(remembered, fact);
  for (const person of affected(facts, fact)) {
    yield* exposedToPerson(remembered, without, incarnation, person);
    yield null;
  }
}

/** Compares the audience of each document, person by person, with and without some of its grants. */
function* exposedDocument(
  facts: PermissionIntervals,
  incarnation: Incarnation,
  document: number,
  without: PermissionIntervals,
): Generator<VisibilityInterval> {
  const remaining = audienceOf(without, without.grantsOf(document));
  for (const [person, times] of peopleOf(facts, incarnation, audienceOf(facts, facts.grantsOf(document)))) {
    const anyway = difference(times, remaining.everybody);
    const exposed = difference(anyway, remaining.people.get(person) ?? never);
    if (exposed.length > 0) yield { incarnation, person, document, times: exposed };
  }
}

/** Follows what a person would not have held without the facts to every document that it opens. */
function* exposedToPerson(
  facts: PermissionIntervals,
  without: PermissionIntervals,
  incarnation: Incarnation,
  person: number,
): Generator<VisibilityInterval> {
  const [held, remaining] = [heldOver(facts, incarnation, person), heldOver(without, incarnation, person)];
  const gained = [...held]
    .filter(([principal, times]) => !isSame(times, remaining.get(principal) ?? never))
    .map(([principal]) => principal);
  const documents = new Set(
    gained.flatMap((principal) => facts.grantsTo(principal).map(([document]: Edge) => document)),
  );
  for (const document of [...documents].sort((a, b) => a - b)) {
    const times: IntervalSet = difference(
      timesVisible(facts, held, document),
      timesVisible(without, remaining, document),
    );
    if (times.length > 0) yield { incarnation, person, document, times };
  }
}

/** The people who may have gained something: those who joined or were registered, or all who ever were in the group. */
function affected(
  facts: PermissionIntervals,
  fact: Exclude<ExposedFact, { readonly kind: "grants" }>,
): Iterable<number> {
  if (fact.kind === "registration") return [fact.person];
  if (fact.kind === "memberships") return byEmail(facts, new Set(fact.memberships.map(([person]) => person)));
  const below = reach([fact.kind === "nesting" ? fact.member : fact.group], (group) => facts.childrenOf(group));
  const people = new Set<number>();
  for (const group of below.keys()) for (const [person] of facts.membersOf(group)) people.add(person);
  return byEmail(facts, people);
}

/** What one event opened, to be asked what it alone made visible. `opened` is the position of the event. */
export type ExposedFact =
  | {
      readonly kind: "grants";
      readonly opened: number;
      readonly grants: readonly (readonly [document: number, principal: number])[];
    }
  | {
      readonly kind: "memberships";
      readonly opened: number;
      readonly memberships: readonly (readonly [person: number, group: number])[];
    }
  | { readonly kind: "nesting"; readonly opened: number; readonly member: number; readonly group: number }
  | { readonly kind: "name"; readonly opened: number; readonly group: number; readonly principal: number }
  | { readonly kind: "registration"; readonly opened: number; readonly person: number };

/** The permission facts as they would be without these. */
function counterfactual(facts: PermissionIntervals, fact: ExposedFact): PermissionIntervals {
  const overriding = overridesFor(facts, fact);
  return Object.assign(Object.create(facts) as PermissionIntervals, overriding);
}

function overridesFor(facts: PermissionIntervals, fact: ExposedFact): Partial<PermissionIntervals> {
  /** All edges but the one that the event opened. */
  const except =
    (edgesOf: (from: number) => readonly Edge[], isOfFact: (from: number, to: number) => boolean) => (from: number) =>
      edgesOf(from).filter(([to, opened]) => opened !== fact.opened || !isOfFact(from, to));
  switch (fact.kind) {
    case "grants": {
      const isOfFact = among(fact.grants);
      return {
        grantsOf: except((document) => facts.grantsOf(document), isOfFact),
        grantsTo: except(
          (principal) => facts.grantsTo(principal),
          (principal, document) => isOfFact(document, principal),
        ),
      };
    }
    case "memberships": {
      const isOfFact = among(fact.memberships);
      return {
        groupsOf: except((person) => facts.groupsOf(person), isOfFact),
        membersOf: except(
          (group) => facts.membersOf(group),
          (group, person) => isOfFact(person, group),
        ),
      };
    }
    case "nesting":
      return {
        parentsOf: except(
          (member) => facts.parentsOf(member),
          (member, group) => member === fact.member && group === fact.group,
        ),
        childrenOf: except(
          (group) => facts.childrenOf(group),
          (group, member) => member === fact.member && group === fact.group,
        ),
      };
    case "name":
      return {
        namesOf: except(
          (group) => facts.namesOf(group),
          (group, principal) => group === fact.group && principal === fact.principal,
        ),
        groupsNamed: except(
          (principal) => facts.groupsNamed(principal),
          (principal, group) => group === fact.group && principal === fact.principal,
        ),
      };
    case "registration":
      return {
        personOf(number) {
          const person = facts.personOf(number);
          if (number !== fact.person) return person;
          return { ...person, registrations: person.registrations.filter(([opened]) => opened !== fact.opened) };
        },
      };
  }
}

/** Whether two numbers are one of these pairs. */
function among(pairs: readonly (readonly [from: number, to: number])[]): (from: number, to: number) => boolean {
  const known = new Set(pairs.map(([from, to]) => `${from}>${to}`));
  return (from, to) => known.has(`${from}>${to}`);
}

/** The same facts, but what was once asked of a group is remembered: for going through many people who share groups. */
function rememberEdges(facts: PermissionIntervals): PermissionIntervals {
  const remembering = (edgesOf: (from: number) => readonly Edge[]) => {
    const known = new Map<number, readonly Edge[]>();
    return (from: number): readonly Edge[] => {
      const edges = known.get(from) ?? edgesOf(from);
      known.set(from, edges);
      return edges;
    };
  };
  const overriding: Partial<PermissionIntervals> = {
    parentsOf: remembering((group) => facts.parentsOf(group)),
    childrenOf: remembering((group) => facts.childrenOf(group)),
    namesOf: remembering((group) => facts.namesOf(group)),
  };
  return Object.assign(Object.create(facts) as PermissionIntervals, overriding);
}
