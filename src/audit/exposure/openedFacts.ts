import type { GrantTarget, HistoryQuestion } from "../historyQuestions.js";
import { documentName } from "../historyQuestions.js";
import type { Counterfactual } from "./counterfactual.js";
import type { Incarnation, OpenedFacts, PermissionFacts, PermissionHistory } from "../ports/permissionHistory.js";

/** Facts whose effect is asked for, and the registration of a datasource that they belong to. */
export interface LeftOutOf {
  readonly incarnation: Incarnation;
  readonly leftOut: Counterfactual;
}

type Exposure = Extract<HistoryQuestion, { readonly kind: `exposure${string}` }>;

/** What an exposure is asked of; a sentence where there is no such fact. */
export function leftOutBy(history: PermissionHistory, facts: PermissionFacts, question: Exposure): LeftOutOf | string {
  if (question.kind === "exposureOfGrant") return lastGrant(facts, question);
  const { event } = question;
  const source = event > facts.position ? null : history.source(event);
  if (source === null) return `There is no event at position ${event}.`;
  const leftOut = factsOpened(history.openedBy(event), event);
  if (leftOut === null)
    return `The event at position ${event}, ${source.event}, opened no grant, membership, group's name or registration.`;
  return { incarnation: incarnationOf(facts, leftOut), leftOut };
}

/** An event opens facts of one kind; of grants several. */
function factsOpened(
  { registrations, memberships, nestings, names, grants }: OpenedFacts,
  opened: number,
): Counterfactual | null {
  if (grants.length > 0) return { kind: "grants", opened, grants };
  for (const [person, group] of memberships) return { kind: "membership", opened, person, group };
  for (const [member, group] of nestings) return { kind: "nesting", opened, member, group };
  for (const [group, principal] of names) return { kind: "name", opened, group, principal };
  for (const person of registrations) return { kind: "registration", opened, person };
  return null;
}

function incarnationOf(facts: PermissionFacts, leftOut: Counterfactual): Incarnation {
  const number = facts.principalOf(principalIn(facts, leftOut)).incarnation;
  return facts.incarnations().find((incarnation) => incarnation.number === number) as Incarnation;
}

/** Any principal that the facts are about: all are of one registration of a datasource. */
function principalIn(facts: PermissionFacts, leftOut: Counterfactual): number {
  if (leftOut.kind === "grants") return leftOut.grants[0]?.[1] as number;
  if (leftOut.kind === "membership" || leftOut.kind === "registration") return leftOut.person;
  return facts.namesOf(leftOut.group)[0]?.[0] as number;
}

function lastGrant(
  facts: PermissionFacts,
  { datasource, documentId, target }: Extract<Exposure, { readonly kind: "exposureOfGrant" }>,
): LeftOutOf | string {
  for (const incarnation of facts.incarnations(datasource).toReversed()) {
    const document = facts.document(incarnation.number, documentId);
    const principal = facts.principal(incarnation.number, target.kind, nameIn(target));
    if (document === null || principal === null) continue;
    const last = facts.grantsOf(document).findLast(([to]) => to === principal);
    if (last !== undefined)
      return { incarnation, leftOut: { kind: "grants", opened: last[1], grants: [[document, principal]] } };
  }
  return `${documentName(datasource, documentId)} was never granted to that.`;
}

function nameIn(target: GrantTarget): string {
  if (target.kind === "anonymous") return "";
  return target.kind === "user" ? target.email : target.name;
}
