import type { Email } from "../../shared/ids.js";
import type { DocumentReference } from "../auditQueries.js";
import { between, intersection, never, union, type IntervalSet } from "./intervalSet.js";
import { add, audienceOf, heldOver, presenceOf, timesVisible, type Audience } from "./overTime.js";
import type { Incarnation, PermissionIntervals } from "../ports/permissionHistory.js";

/** When somebody could see a document. */
export interface Visibility {
  readonly incarnation: Incarnation;
  readonly person: number;
  readonly document: number;
  readonly times: IntervalSet;
}

const peopleAtOnce = 1_000;

/** When a person could see a document, over every incarnation of its datasource. */
export function* visibilityOfPair(
  facts: PermissionIntervals,
  user: Email,
  { datasource, documentId }: DocumentReference,
): Generator<Visibility> {
  for (const incarnation of facts.incarnations(datasource)) {
    const person = facts.person(incarnation.number, user);
    const document = facts.document(incarnation.number, documentId);
    if (person === null || document === null) continue;
    yield {
      incarnation,
      person: person.number,
      document,
      times: timesVisible(facts, heldOver(facts, incarnation, person.number), document),
    };
  }
}

/**
 * When a person could see what: by incarnation of a datasource, then in the order in which documents came first.
 */
export function* visibilityOfPerson(facts: PermissionIntervals, user: Email): Generator<Visibility> {
  for (const incarnation of facts.incarnations()) {
    const person = facts.person(incarnation.number, user);
    if (person === null) continue;
    const held = heldOver(facts, incarnation, person.number);
    const timesOfDocuments = new Map<number, IntervalSet>();
    for (const [principal, times] of held) {
      for (const [document, opened, closed] of facts.grantsTo(principal))
        add(timesOfDocuments, document, intersection(times, between(opened, closed)));
    }
    for (const document of [...timesOfDocuments.keys()].sort((a, b) => a - b)) {
      yield { incarnation, person: person.number, document, times: timesOfDocuments.get(document) ?? never };
    }
  }
}

/** When each person could see a document: by incarnation of its datasource, then by email. */
export function* visibilityOfDocument(
  facts: PermissionIntervals,
  { datasource, documentId }: DocumentReference,
): Generator<Visibility> {
  for (const incarnation of facts.incarnations(datasource)) {
    const document = facts.document(incarnation.number, documentId);
    if (document === null) continue;
    const audience = audienceOf(facts, facts.grantsOf(document));
    for (const [person, times] of peopleOf(facts, incarnation, audience))
      yield { incarnation, person, document, times };
  }
}

/** The people of an audience by email, each with when they could see the document: only while they were registered. */
export function* peopleOf(
  facts: PermissionIntervals,
  incarnation: Incarnation,
  { everybody, people }: Audience,
): Generator<readonly [person: number, times: IntervalSet]> {
  const numbers = everybody.length > 0 ? everyone(facts, incarnation) : byEmail(facts, people.keys());
  for (const person of numbers) {
    const times = intersection(union(everybody, people.get(person) ?? never), presenceOf(facts, incarnation, person));
    if (times.length > 0) yield [person, times];
  }
}

/** Numbers of people, in the order of their emails. */
export const byEmail = (facts: PermissionIntervals, people: Iterable<number>): readonly number[] =>
  Array.from(people, (number) => facts.personOf(number))
    .sort((a, b) => (a.email < b.email ? -1 : 1))
    .map(({ number }) => number);

/** Everybody who was ever registered, in the order of their emails. */
function* everyone(facts: PermissionIntervals, { number }: Incarnation): Generator<number> {
  for (let after = ""; ;) {
    const people = facts.people(number, after, peopleAtOnce);
    for (const person of people) yield person.number;
    const last = people.at(-1);
    if (last === undefined) return;
    after = last.email;
  }
}
