import { type GrantTarget, type HistoryQuestion, documentName } from "../historyQuestions.js";
import type { ExposedFact } from "./exposure.js";
import type { Incarnation, OpenedFacts, PermissionIntervals, PermissionHistory } from "../ports/permissionHistory.js";
import { nameAt, targetOf } from "../visibility/historyEntries.js";

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
