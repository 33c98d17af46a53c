import type { GrantTarget, HistoryQuestion } from "./historyQuestions.js";
import { documentName } from "./historyQuestions.js";
import type { LeftOut } from "./leaveOut.js";
import type { Generation, OpenedFacts, PermissionFacts, PermissionHistory } from "./permissionHistoryPorts.js";

/** Facts whose effect is asked for, and the registration of a datasource that they belong to. */
export interface LeftOutOf {
  readonly generation: Generation;
  readonly leftOut: LeftOut;
}

type Exposure = Extract<HistoryQuestion, { readonly kind: `exposure${string}` }>;

/** What an exposure is asked of; a sentence where there is no such fact. */
export function leftOutBy(history: PermissionHistory, facts: PermissionFacts, question: Exposure): LeftOutOf | string {
  if (question.kind === "exposureOfGrant") return ofGrant(facts, question);
  const { event } = question;
  const source = event > facts.position ? null : history.source(event);
  if (source === null) return `There is no event at position ${event}.`;
  const leftOut = ofEvent(history.openedBy(event), event);
  if (leftOut === null) return `The event at position ${event}, ${source.event}, opened no grant, membership, group's name or registration.`;
  return { generation: generationOf(facts, leftOut), leftOut };
}

/** An event opens facts of one kind; of grants several. */
function ofEvent({ registrations, memberships, nestings, names, grants }: OpenedFacts, opened: number): LeftOut | null {
  if (grants.length > 0) return { kind: "grants", opened, grants };
  for (const [person, group] of memberships) return { kind: "membership", opened, person, group };
  for (const [member, group] of nestings) return { kind: "nesting", opened, member, group };
  for (const [group, principal] of names) return { kind: "name", opened, group, principal };
  for (const person of registrations) return { kind: "registration", opened, person };
  return null;
}

function generationOf(facts: PermissionFacts, leftOut: LeftOut): Generation {
  const number = facts.principalOf(principalIn(facts, leftOut)).generation;
  return facts.generations().find((generation) => generation.number === number) as Generation;
}

/** Any principal that the facts are about: all are of one registration of a datasource. */
function principalIn(facts: PermissionFacts, leftOut: LeftOut): number {
  if (leftOut.kind === "grants") return leftOut.grants[0]?.[1] as number;
  if (leftOut.kind === "membership" || leftOut.kind === "registration") return leftOut.person;
  return facts.namesOf(leftOut.group)[0]?.[0] as number;
}

function ofGrant(facts: PermissionFacts, { datasource, documentId, target }: Extract<Exposure, { readonly kind: "exposureOfGrant" }>): LeftOutOf | string {
  for (const generation of facts.generations(datasource).toReversed()) {
    const document = facts.document(generation.number, documentId);
    const principal = facts.principal(generation.number, target.kind, nameIn(target));
    if (document === null || principal === null) continue;
    const last = facts.grantsOf(document).findLast(([to]) => to === principal);
    if (last !== undefined) return { generation, leftOut: { kind: "grants", opened: last[1], grants: [[document, principal]] } };
  }
  return `${documentName(datasource, documentId)} was never granted to that.`;
}

function nameIn(target: GrantTarget): string {
  if (target.kind === "anonymous") return "";
  return target.kind === "user" ? target.email : target.name;
}
