import { documentName, type Place } from "../historyQuestions.js";
import type { Incarnation, PermissionIntervals, Person } from "../ports/permissionHistory.js";
import { nameOf } from "./chains.js";
import { isRegisteredAt } from "./overTime.js";

/** What is counted of places. */
export interface Counts {
  readonly everybody?: () => Pick<Place, "people" | "documents">;
  readonly person?: () => Pick<Place, "documents">;
  readonly group?: (group: number) => Pick<Place, "people" | "documents">;
}

/** A document, as `datasource/id`. */
export const documentPlace = (facts: PermissionIntervals, { name }: Incarnation, document: number): Place => ({
  kind: "document",
  name: documentName(name, facts.documentIdOf(document)),
});

/** Everybody who is registered on a datasource. */
export const everybodyPlace = ({ name }: Incarnation, counts: Counts): Place => ({
  kind: "everybody",
  name,
  ...counts.everybody?.(),
});

/** A group, as `datasource/group`. */
export const groupPlace = (
  facts: PermissionIntervals,
  { name }: Incarnation,
  group: number,
  counts: Counts,
): Place => ({
  kind: "group",
  name: `${name}/${nameOf(facts, group)}`,
  ...counts.group?.(group),
});

/** A person, by email. */
export const personPlace = (facts: PermissionIntervals, person: Person, counts: Counts): Place => ({
  kind: "person",
  name: person.email,
  ...counts.person?.(),
  ...(!isRegisteredAt(person, facts.position) && { absent: true }),
});

/** A group without its datasource, as sentences of other answers name it. */
export function said({ kind, name }: Place): string {
  if (kind === "everybody") return `everybody who is registered on ${name}`;
  return kind === "group" ? `the group ${name.slice(name.indexOf("/") + 1)}` : name;
}
