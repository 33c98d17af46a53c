import { documentName } from "../historyQuestions.js";
import type { ExposedIn } from "./exposedFact.js";
import type { PermissionIntervals } from "../ports/permissionHistory.js";
import { nameAt, targetOf } from "../visibility/historyEntries.js";

const mostNamed = 5;

/** Says what an exposure is asked of, in a sentence without a full stop. */
export function describeExposedFact(facts: PermissionIntervals, { incarnation, fact }: ExposedIn): string {
  const group = (number: number): string => `the group ${nameAt(facts, number, fact.opened)}`;
  switch (fact.kind) {
    case "grants":
      return `${documentName(incarnation.name, facts.documentIdOf(fact.grants[0]?.[0] as number))} was granted to ${named(fact.grants.map(([, principal]) => targetOf(facts, principal)))}`;
    case "memberships":
      return `${named(fact.memberships.map(([person]) => facts.personOf(person).email))} joined ${group(fact.memberships[0]?.[1] as number)}`;
    case "nesting":
      return `${group(fact.member)} joined ${group(fact.group)}`;
    case "name":
      return `a group was named ${facts.principalOf(fact.principal).name}`;
    case "registration":
      return `${facts.personOf(fact.person).email} was registered on ${incarnation.name}`;
  }
}

/** The first few, and how many others there are. */
function named(names: readonly string[]): string {
  const some = names.slice(0, mostNamed).join(", ");
  return names.length > mostNamed ? `${some} and ${names.length - mostNamed} more` : some;
}
