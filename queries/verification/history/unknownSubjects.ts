import type { DatasourceId } from "../../../src/shared/ids.js";
import type { PermissionFacts } from "../../audit/permissionHistoryPorts.js";
import { historyKey, type HistorySubject } from "./subjects.js";

const peopleAtOnce = 500;

/** The people that a history knows to be registered. */
export function* registeredPeople(facts: PermissionFacts, generation: number, datasourceId: DatasourceId): Generator<readonly HistorySubject[]> {
  for (let after = ""; ; ) {
    const people = facts.people(generation, after, peopleAtOnce);
    const last = people.at(-1);
    if (last === undefined) return;
    after = last.email;
    yield people.map(({ email }) => ({ kind: "person", datasourceId, email }));
  }
}

/** Documents that are granted to everybody, to a registered person or to a group by one of these names, and are not among the numbers. */
export function* otherDocuments(facts: PermissionFacts, generation: number, datasourceId: DatasourceId, known: { readonly numbers: ReadonlySet<number>; readonly groupNames: Iterable<string> }): Generator<readonly HistorySubject[]> {
  const others = (principals: Iterable<number | null>): HistorySubject[] => {
    const found = new Set<number>();
    for (const principal of principals) {
      for (const [document] of principal === null ? [] : facts.grantsTo(principal)) if (!known.numbers.has(document)) found.add(document);
    }
    return Array.from(found, (document) => ({ kind: "document", datasourceId, documentId: facts.documentIdOf(document) }));
  };
  yield others([facts.principal(generation, "anonymous", "")]);
  for (const name of known.groupNames) yield others([facts.principal(generation, "group", name)]);
  for (let after = ""; ; ) {
    const people = facts.people(generation, after, peopleAtOnce);
    const last = people.at(-1);
    if (last === undefined) return;
    after = last.email;
    yield others(people.map(({ number }) => number));
  }
}

/** Those whose names are not in the log, each once. */
export function notNamed(subjects: readonly HistorySubject[], isNamed: (key: string) => boolean): readonly HistorySubject[] {
  const unnamed = subjects.filter((subject) => !isNamed(historyKey(subject)));
  return [...new Map(unnamed.map((subject) => [historyKey(subject), subject])).values()];
}
