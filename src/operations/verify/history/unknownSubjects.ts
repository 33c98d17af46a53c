import type { DatasourceId } from "../../../shared/ids.js";
import type { PermissionIntervals } from "../../../audit/ports/permissionHistory.js";
import { historyKey, type HistorySubject } from "./historySubjects.js";

const peopleAtOnce = 500;

/** The people that a history knows to be registered. */
export function* registeredPeople(
  facts: PermissionIntervals,
  incarnation: number,
  datasourceId: DatasourceId,
): Generator<readonly HistorySubject[]> {
  for (let after = ""; ;) {
    const people = facts.people(incarnation, after, peopleAtOnce);
    const last = people.at(-1);
    if (last === undefined) return;
    after = last.email;
    yield people.map(({ email }) => ({ kind: "person", datasourceId, email }));
  }
}

/** Documents of one principal. */
export interface OtherDocuments {
  readonly others: readonly HistorySubject[];
  /** How many were looked at. */
  readonly looked: number;
}

/**
 * Documents that are granted to everybody, to a registered person or to a group by one of these names, and are not
 * among the numbers.
 */
export function* otherDocuments(
  facts: PermissionIntervals,
  incarnation: number,
  datasourceId: DatasourceId,
  known: { readonly numbers: ReadonlySet<number>; readonly groupNames: Iterable<string> },
): Generator<OtherDocuments> {
  const others = (principal: number | null): OtherDocuments => {
    const documents = principal === null ? [] : facts.grantsTo(principal);
    const found = new Set(documents.map(([document]) => document).filter((document) => !known.numbers.has(document)));
    return {
      looked: documents.length,
      others: Array.from(found, (document) => ({
        kind: "document",
        datasourceId,
        documentId: facts.documentIdOf(document),
      })),
    };
  };
  yield others(facts.principal(incarnation, "anonymous", ""));
  for (const name of known.groupNames) yield others(facts.principal(incarnation, "group", name));
  for (let after = ""; ;) {
    const people = facts.people(incarnation, after, peopleAtOnce);
    const last = people.at(-1);
    if (last === undefined) return;
    after = last.email;
    for (const { number } of people) yield others(number);
  }
}

/** Those whose names are not in the log, each once. */
export function notNamed(
  subjects: readonly HistorySubject[],
  isNamed: (key: string) => boolean,
): readonly HistorySubject[] {
  const unnamed = subjects.filter((subject) => !isNamed(historyKey(subject)));
  return [...new Map(unnamed.map((subject) => [historyKey(subject), subject])).values()];
}
