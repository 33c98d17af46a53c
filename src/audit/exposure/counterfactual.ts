import type { Edge, PermissionIntervals } from "../ports/permissionHistory.js";

/** What one event opened, to be asked what it alone made visible. `opened` is the position of the event. */
export type ExposedFact =
  | {
      readonly kind: "grants";
      readonly opened: number;
      readonly grants: readonly (readonly [document: number, principal: number])[];
    }
  | { readonly kind: "membership"; readonly opened: number; readonly person: number; readonly group: number }
  | { readonly kind: "nesting"; readonly opened: number; readonly member: number; readonly group: number }
  | { readonly kind: "name"; readonly opened: number; readonly group: number; readonly principal: number }
  | { readonly kind: "registration"; readonly opened: number; readonly person: number };

/** The permission facts as they would be without this one. */
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
    case "grants":
      return {
        grantsOf: except(
          (document) => facts.grantsOf(document),
          (document, principal) => isAmong(fact.grants, document, principal),
        ),
        grantsTo: except(
          (principal) => facts.grantsTo(principal),
          (principal, document) => isAmong(fact.grants, document, principal),
        ),
      };
    case "membership":
      return {
        groupsOf: except(
          (person) => facts.groupsOf(person),
          (person, group) => person === fact.person && group === fact.group,
        ),
        membersOf: except(
          (group) => facts.membersOf(group),
          (group, person) => person === fact.person && group === fact.group,
        ),
      };
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

const isAmong = (
  grants: readonly (readonly [document: number, principal: number])[],
  document: number,
  principal: number,
): boolean => grants.some(([from, to]) => from === document && to === principal);

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
