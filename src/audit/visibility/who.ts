import type { DocumentReference } from "../auditQueries.js";
import { nameOf, reach, viaEverybody, viaUser, wayBack, type Reached, isRegisteredAt } from "./overTime.js";
import { documentName, type HistoryAnswer, type Via, type WhoItem } from "../historyQuestions.js";
import type { Incarnation, PermissionIntervals, Person } from "../ports/permissionHistory.js";

const peopleAtOnce = 1_000;

/** Everyone who could see a document at the facts' moment, by email, each by the shortest chain. */
export function whoCouldSee(
  facts: PermissionIntervals,
  incarnation: Incarnation | null,
  { datasource, documentId }: DocumentReference,
): HistoryAnswer<WhoItem> {
  if (incarnation === null) return nobody("datasource_absent", `There was no datasource named "${datasource}".`);
  const document = facts.document(incarnation.number, documentId);
  if (document === null || facts.existences(document).length === 0) {
    return nobody("document_absent", `There was no document "${documentName(datasource, documentId)}".`);
  }
  const principals = facts.grantsOf(document).map(([principal]) => ({ principal, ...facts.principalOf(principal) }));
  if (principals.some(({ kind }) => kind === "anonymous")) {
    return {
      items: everybody(facts, incarnation, viaEverybody(facts, document)),
      total: facts.countPeople(incarnation.number),
    };
  }
  const named = principals.filter(({ kind }) => kind === "user").map(({ principal }) => principal);
  const groups = principals
    .filter(({ kind }) => kind === "group")
    .flatMap(({ principal }) => facts.groupsNamed(principal).map(([group]) => group));
  const reached = reach(groups, (group) => facts.childrenOf(group));
  const people = peopleIn(facts, reached, named);
  return { items: items(facts, reached, people), total: people.length };
}

const nobody = (kind: "datasource_absent" | "document_absent", detail: string): HistoryAnswer<WhoItem> => ({
  items: [],
  total: 0,
  missing: { kind, detail },
});

function* everybody(facts: PermissionIntervals, { number }: Incarnation, via: Via): Generator<WhoItem> {
  for (let after = ""; ;) {
    const people = facts.people(number, after, peopleAtOnce);
    for (const { email } of people) yield { user_email: email, via };
    const last = people.at(-1);
    if (last === undefined) return;
    after = last.email;
  }
}

/** A person, and the group through which: null where the document names the person. */
type Seer = readonly [person: Person, group: number | null];

function peopleIn(facts: PermissionIntervals, reached: Reached, named: readonly number[]): readonly Seer[] {
  const through = new Map<number, number | null>(named.map((person) => [person, null]));
  for (const group of reached.keys()) {
    for (const [person] of facts.membersOf(group)) if (!through.has(person)) through.set(person, group);
  }
  const seers = Array.from(through, ([person, group]): Seer => [facts.personOf(person), group]);
  const registered = seers.filter(([person]) => isRegisteredAt(person, facts.position));
  return registered.sort(([a], [b]) => (a.email < b.email ? -1 : 1));
}

function* items(facts: PermissionIntervals, reached: Reached, people: readonly Seer[]): Generator<WhoItem> {
  for (const [{ email }, group] of people)
    yield { user_email: email, via: group === null ? viaUser : viaGroup(facts, reached, group) };
}

const viaGroup = (facts: PermissionIntervals, reached: Reached, group: number): Via => ({
  grant: "group",
  groups: wayBack(reached, group)
    .toReversed()
    .map((each) => nameOf(facts, each)),
});
