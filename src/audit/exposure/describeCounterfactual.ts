import { documentName } from "../historyQuestions.js";
import type { Counterfactual } from "./counterfactual.js";
import type { LeftOutOf } from "./openedFacts.js";
import type { PermissionFacts } from "../ports/permissionHistory.js";
import { nameAt, targetOf } from "../visibility/historyEntries.js";

const mostNamed = 5;

/** Says what an exposure is asked of, in a sentence without a full stop. */
export function describeCounterfactual(facts: PermissionFacts, { incarnation, leftOut }: LeftOutOf): string {
  const group = (number: number): string => `the group ${nameAt(facts, number, leftOut.opened)}`;
  switch (leftOut.kind) {
    case "grants":
      return `${documentName(incarnation.name, facts.documentIdOf(leftOut.grants[0]?.[0] as number))} was granted to ${targetsOf(facts, leftOut)}`;
    case "membership":
      return `${facts.personOf(leftOut.person).email} joined ${group(leftOut.group)}`;
    case "nesting":
      return `${group(leftOut.member)} joined ${group(leftOut.group)}`;
    case "name":
      return `a group was named ${facts.principalOf(leftOut.principal).name}`;
    case "registration":
      return `${facts.personOf(leftOut.person).email} was registered on ${incarnation.name}`;
  }
}

function targetsOf(facts: PermissionFacts, { grants }: Extract<Counterfactual, { readonly kind: "grants" }>): string {
  const named = grants
    .slice(0, mostNamed)
    .map(([, principal]) => targetOf(facts, principal))
    .join(", ");
  return grants.length > mostNamed ? `${named} and ${grants.length - mostNamed} more` : named;
}
