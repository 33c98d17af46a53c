import type { GrantTarget, HistoryQuestion } from "../historyQuestions.js";
import { documentName } from "../historyQuestions.js";
import type { ExposedFact } from "./counterfactual.js";
import type { Incarnation, OpenedFacts, PermissionIntervals, PermissionHistory } from "../ports/permissionHistory.js";

/** The fact whose effect is asked for, and the incarnation of a datasource that it belongs to. */
export interface ExposedIn {
  readonly incarnation: Incarnation;
  readonly fact: ExposedFact;
}

type Exposure = Extract<HistoryQuestion, { readonly kind: `exposure${string}` }>;

/** What an exposure is asked of; a sentence where there is no such fact. */
export function exposedFact(
  history: PermissionHistory,
  facts: PermissionIntervals,
  question: Exposure,
): ExposedIn | string {
  if (question.kind === "exposureOfGrant") return lastGrant(facts, question);
  const { event } = question;
  const source = event > facts.position ? null : history.source(event);
  if (source === null) return `There is no event at position ${event}.`;
  const fact = factOpened(history.openedBy(event), event);
  if (fact === null)
    return `The event at position ${event}, ${source.event}, opened no grant, membership, group's name or registration.`;
  return { incarnation: incarnationOf(facts, fact), fact };
}

/** An event opens facts of one kind; of grants and memberships several. */
function factOpened(
  { registrations, memberships, nestings, names, grants }: OpenedFacts,
  opened: number,
): ExposedFact | null {
  if (grants.length > 0) return { kind: "grants", opened, grants };
  if (memberships.length > 0) return { kind: "memberships", opened, memberships };
  for (const [member, group] of nestings) return { kind: "nesting", opened, member, group };
  for (const [group, principal] of names) return { kind: "name", opened, group, principal };
  for (const person of registrations) return { kind: "registration", opened, person };
  return null;
}

function incarnationOf(facts: PermissionIntervals, fact: ExposedFact): Incarnation {
  const number = facts.principalOf(principalIn(facts, fact)).incarnation;
  return facts.incarnations().find((incarnation) => incarnation.number === number) as Incarnation;
}

/** Any principal that the fact is about: all are of one incarnation of a datasource. */
function principalIn(facts: PermissionIntervals, fact: ExposedFact): number {
  if (fact.kind === "grants") return fact.grants[0]?.[1] as number;
  if (fact.kind === "memberships") return fact.memberships[0]?.[0] as number;
  if (fact.kind === "registration") return fact.person;
  return facts.namesOf(fact.group)[0]?.[0] as number;
}

function lastGrant(
  facts: PermissionIntervals,
  { datasource, documentId, target }: Extract<Exposure, { readonly kind: "exposureOfGrant" }>,
): ExposedIn | string {
  for (const incarnation of facts.incarnations(datasource).toReversed()) {
    const document = facts.document(incarnation.number, documentId);
    const principal = facts.principal(incarnation.number, target.kind, nameIn(target));
    if (document === null || principal === null) continue;
    const last = facts.grantsOf(document).findLast(([to]) => to === principal);
    if (last !== undefined)
      return { incarnation, fact: { kind: "grants", opened: last[1], grants: [[document, principal]] } };
  }
  return `${documentName(datasource, documentId)} was never granted to that.`;
}

function nameIn(target: GrantTarget): string {
  if (target.kind === "anonymous") return "";
  return target.kind === "user" ? target.email : target.name;
}
