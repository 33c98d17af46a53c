import { reach } from "./chains.js";
import { byEmail, peopleOf, type Sight } from "./effective.js";
import { difference, isSame, never, type IntervalSet } from "./intervalSet.js";
import { leaveOut, rememberEdges, type LeftOut } from "./leaveOut.js";
import { audienceOf, heldOver, sightOf } from "./overTime.js";
import type { Edge, Generation, PermissionFacts } from "./permissionHistoryPorts.js";

/**
 * Everything that these facts, and nothing else, made visible: what is so with them less what would have been so without,
 * by email, then in the order in which documents were first indexed. Facts of one kind, of one event. null after each person.
 */
export function* exposureOf(facts: PermissionFacts, generation: Generation, leftOut: LeftOut): Generator<Sight | null> {
  if (leftOut.kind === "grants") {
    for (const document of new Set(leftOut.grants.map(([each]) => each))) yield* exposedDocument(facts, generation, document, leaveOut(facts, leftOut));
    return;
  }
  const remembered = rememberEdges(facts);
  const without = leaveOut(remembered, leftOut);
  for (const person of affected(facts, leftOut)) {
    yield* exposedToPerson(remembered, without, generation, person);
    yield null;
  }
}

/** With and without some grants of one document: the audience of each, person by person. */
function* exposedDocument(facts: PermissionFacts, generation: Generation, document: number, without: PermissionFacts): Generator<Sight> {
  const remaining = audienceOf(without, without.grantsOf(document));
  for (const [person, times] of peopleOf(facts, generation, audienceOf(facts, facts.grantsOf(document)))) {
    const anyway = difference(times, remaining.everybody);
    const exposed = difference(anyway, remaining.people.get(person) ?? never);
    if (exposed.length > 0) yield { generation, person, document, times: exposed };
  }
}

/** What a person held with the facts and would not have held without them, on every document that it opens. */
function* exposedToPerson(facts: PermissionFacts, without: PermissionFacts, generation: Generation, person: number): Generator<Sight> {
  const [held, remaining] = [heldOver(facts, generation, person), heldOver(without, generation, person)];
  const gained = [...held].filter(([principal, times]) => !isSame(times, remaining.get(principal) ?? never)).map(([principal]) => principal);
  const documents = new Set(gained.flatMap((principal) => facts.grantsTo(principal).map(([document]: Edge) => document)));
  for (const document of [...documents].sort((a, b) => a - b)) {
    const times: IntervalSet = difference(sightOf(facts, held, document), sightOf(without, remaining, document));
    if (times.length > 0) yield { generation, person, document, times };
  }
}

/** Whoever may have gained something: the person, or all who ever were in the group. */
function affected(facts: PermissionFacts, leftOut: Exclude<LeftOut, { readonly kind: "grants" }>): Iterable<number> {
  if (leftOut.kind === "registration" || leftOut.kind === "membership") return [leftOut.person];
  const below = reach([leftOut.kind === "nesting" ? leftOut.member : leftOut.group], (group) => facts.childrenOf(group));
  const people = new Set<number>();
  for (const group of below.keys()) for (const [person] of facts.membersOf(group)) people.add(person);
  return byEmail(facts, people);
}
