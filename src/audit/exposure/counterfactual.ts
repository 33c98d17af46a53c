import type { Edge, PermissionIntervals } from "../ports/permissionHistory.js";

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
export function counterfactual(facts: PermissionIntervals, fact: ExposedFact): PermissionIntervals {
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
export function rememberEdges(facts: PermissionIntervals): PermissionIntervals {
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
