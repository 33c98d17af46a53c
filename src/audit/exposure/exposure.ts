import { reach } from "../visibility/chains.js";
import { byEmail, peopleOf, type Visibility } from "../visibility/visibilityOverTime.js";
import { difference, isSame, never, type IntervalSet } from "../visibility/intervalSet.js";
import { counterfactual, rememberEdges, type ExposedFact } from "./counterfactual.js";
import { audienceOf, heldOver, timesVisible } from "../visibility/overTime.js";
import type { Edge, Incarnation, PermissionIntervals } from "../ports/permissionHistory.js";

/**
 * Everything that these facts made visible and nothing else did: what is so with them, less what would have been so
 * without them. By email, then in the order in which documents were first indexed. The facts are of one kind, opened by
 * one event. Yields null after each person, so that a page can end there.
 */
export function* exposureOf(
  facts: PermissionIntervals,
  incarnation: Incarnation,
  fact: ExposedFact,
): Generator<Visibility | null> {
  if (fact.kind === "grants") {
    for (const document of new Set(fact.grants.map(([each]) => each)))
      yield* exposedDocument(facts, incarnation, document, counterfactual(facts, fact));
    return;
  }
  const remembered = rememberEdges(facts);
  const without = counterfactual(remembered, fact);
  for (const person of affected(facts, fact)) {
    yield* exposedToPerson(remembered, without, incarnation, person);
    yield null;
  }
}

/** Compares the audience of each document, person by person, with and without some of its grants. */
function* exposedDocument(
  facts: PermissionIntervals,
  incarnation: Incarnation,
  document: number,
  without: PermissionIntervals,
): Generator<Visibility> {
  const remaining = audienceOf(without, without.grantsOf(document));
  for (const [person, times] of peopleOf(facts, incarnation, audienceOf(facts, facts.grantsOf(document)))) {
    const anyway = difference(times, remaining.everybody);
    const exposed = difference(anyway, remaining.people.get(person) ?? never);
    if (exposed.length > 0) yield { incarnation, person, document, times: exposed };
  }
}

/** Follows what a person would not have held without the facts to every document that it opens. */
function* exposedToPerson(
  facts: PermissionIntervals,
  without: PermissionIntervals,
  incarnation: Incarnation,
  person: number,
): Generator<Visibility> {
  const [held, remaining] = [heldOver(facts, incarnation, person), heldOver(without, incarnation, person)];
  const gained = [...held]
    .filter(([principal, times]) => !isSame(times, remaining.get(principal) ?? never))
    .map(([principal]) => principal);
  const documents = new Set(
    gained.flatMap((principal) => facts.grantsTo(principal).map(([document]: Edge) => document)),
  );
  for (const document of [...documents].sort((a, b) => a - b)) {
    const times: IntervalSet = difference(
      timesVisible(facts, held, document),
      timesVisible(without, remaining, document),
    );
    if (times.length > 0) yield { incarnation, person, document, times };
  }
}

/** The people who may have gained something: those who joined or were registered, or all who ever were in the group. */
function affected(
  facts: PermissionIntervals,
  fact: Exclude<ExposedFact, { readonly kind: "grants" }>,
): Iterable<number> {
  if (fact.kind === "registration") return [fact.person];
  if (fact.kind === "memberships") return byEmail(facts, new Set(fact.memberships.map(([person]) => person)));
  const below = reach([fact.kind === "nesting" ? fact.member : fact.group], (group) => facts.childrenOf(group));
  const people = new Set<number>();
  for (const group of below.keys()) for (const [person] of facts.membersOf(group)) people.add(person);
  return byEmail(facts, people);
}
