import { documentName } from "../historyQuestions.js";
import type { ExposedFact } from "./counterfactual.js";
import type { ExposedIn } from "./exposedFact.js";
import type { PermissionIntervals } from "../ports/permissionHistory.js";
import { nameAt, targetOf } from "../visibility/historyEntries.js";

const mostNamed = 5;

/** Says what an exposure is asked of, in a sentence without a full stop. */
export function describeExposedFact(facts: PermissionIntervals, { incarnation, fact }: ExposedIn): string {
  const group = (number: number): string => `the group ${nameAt(facts, number, fact.opened)}`;
  switch (fact.kind) {
    case "grants":
      return `${documentName(incarnation.name, facts.documentIdOf(fact.grants[0]?.[0] as number))} was granted to ${targetsOf(facts, fact)}`;
    case "membership":
      return `${facts.personOf(fact.person).email} joined ${group(fact.group)}`;
    case "nesting":
      return `${group(fact.member)} joined ${group(fact.group)}`;
    case "name":
      return `a group was named ${facts.principalOf(fact.principal).name}`;
    case "registration":
      return `${facts.personOf(fact.person).email} was registered on ${incarnation.name}`;
  }
}

function targetsOf(facts: PermissionIntervals, { grants }: Extract<ExposedFact, { readonly kind: "grants" }>): string {
  const named = grants
    .slice(0, mostNamed)
    .map(([, principal]) => targetOf(facts, principal))
    .join(", ");
  return grants.length > mostNamed ? `${named} and ${grants.length - mostNamed} more` : named;
}
