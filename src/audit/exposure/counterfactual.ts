import { still } from "../visibility/intervalSet.js";
import type { Edge, PermissionFacts } from "../ports/permissionHistory.js";

/** Facts that one event opened, to be left out as if it never had. `opened` is the position of the event. */
export type Counterfactual =
  | {
      readonly kind: "grants";
      readonly opened: number;
      readonly grants: readonly (readonly [document: number, principal: number])[];
    }
  | { readonly kind: "membership"; readonly opened: number; readonly person: number; readonly group: number }
  | { readonly kind: "nesting"; readonly opened: number; readonly member: number; readonly group: number }
  | { readonly kind: "name"; readonly opened: number; readonly group: number; readonly principal: number }
  | { readonly kind: "registration"; readonly opened: number; readonly person: number };

/** The permission history as it would be had these facts never been. */
export function counterfactual(facts: PermissionFacts, leftOut: Counterfactual): PermissionFacts {
  const overriding = overridesFor(facts, leftOut);
  return Object.assign(Object.create(facts) as PermissionFacts, overriding);
}

function overridesFor(facts: PermissionFacts, leftOut: Counterfactual): Partial<PermissionFacts> {
  /** Leaves out the edge that the event opened. */
  const but =
    (edgesOf: (from: number) => readonly Edge[], isLeftOut: (from: number, to: number) => boolean) => (from: number) =>
      edgesOf(from).filter(([to, opened]) => opened !== leftOut.opened || !isLeftOut(from, to));
  switch (leftOut.kind) {
    case "grants":
      return {
        grantsOf: but(
          (document) => facts.grantsOf(document),
          (document, principal) => isAmong(leftOut.grants, document, principal),
        ),
        grantsTo: but(
          (principal) => facts.grantsTo(principal),
          (principal, document) => isAmong(leftOut.grants, document, principal),
        ),
      };
    case "membership":
      return {
        groupsOf: but(
          (person) => facts.groupsOf(person),
          (person, group) => person === leftOut.person && group === leftOut.group,
        ),
        membersOf: but(
          (group) => facts.membersOf(group),
          (group, person) => person === leftOut.person && group === leftOut.group,
        ),
      };
    case "nesting":
      return {
        parentsOf: but(
          (member) => facts.parentsOf(member),
          (member, group) => member === leftOut.member && group === leftOut.group,
        ),
        childrenOf: but(
          (group) => facts.childrenOf(group),
          (group, member) => member === leftOut.member && group === leftOut.group,
        ),
      };
    case "name":
      return {
        namesOf: but(
          (group) => facts.namesOf(group),
          (group, principal) => group === leftOut.group && principal === leftOut.principal,
        ),
        groupsNamed: but(
          (principal) => facts.groupsNamed(principal),
          (principal, group) => group === leftOut.group && principal === leftOut.principal,
        ),
      };
    case "registration":
      return {
        personOf: (number) => ({ ...facts.personOf(number), ...(number === leftOut.person && { registered: still }) }),
      };
  }
}

const isAmong = (
  grants: readonly (readonly [document: number, principal: number])[],
  document: number,
  principal: number,
): boolean => grants.some(([from, to]) => from === document && to === principal);

/** The same facts, but what was once asked of a group is remembered: for going through many people who share groups. */
export function rememberEdges(facts: PermissionFacts): PermissionFacts {
  const remembering = (edgesOf: (from: number) => readonly Edge[]) => {
    const known = new Map<number, readonly Edge[]>();
    return (from: number): readonly Edge[] => {
      const edges = known.get(from) ?? edgesOf(from);
      known.set(from, edges);
      return edges;
    };
  };
  const overriding: Partial<PermissionFacts> = {
    parentsOf: remembering((group) => facts.parentsOf(group)),
    childrenOf: remembering((group) => facts.childrenOf(group)),
    namesOf: remembering((group) => facts.namesOf(group)),
  };
  return Object.assign(Object.create(facts) as PermissionFacts, overriding);
}
