import type { DatasourceName, Email } from "../../shared/ids.js";
import { decidedByDefault, describeTimes, type DocumentReference, type ExplainedFact } from "../auditFacts.js";
import { documentName } from "../historyQuestions.js";
import { isByDefaultAt } from "./overTime.js";
import { still } from "./intervalSet.js";
import type {
  Edge,
  Incarnation,
  PermissionIntervals,
  PermissionHistory,
  Person,
  Span,
} from "../ports/permissionHistory.js";

/** Something that began or ended at a position; a grant that the datasource made, by its default. */
export type Entry = readonly [position: number, sentence: string, isByDefault?: boolean];

/** What happened to a document: when it was indexed, granted and deleted, in every incarnation of its datasource. */
export function entriesOfDocument(
  facts: PermissionIntervals,
  { datasource, documentId }: DocumentReference,
): readonly Entry[] {
  const name = documentName(datasource, documentId);
  return facts.incarnations(datasource).flatMap((incarnation) => {
    const document = facts.document(incarnation.number, documentId);
    if (document === null) return [];
    const existence = turns(facts.existences(document), () => [`${name} was indexed`, `${name} was deleted`]);
    const grants = facts
      .grantsOf(document)
      .flatMap((edge) => granted(name, targetOf(facts, edge[0]), edge, isByDefaultAt(facts, document, edge[1])))
      .sort(byWords);
    return upToClosing(incarnation, [...existence, ...grants]);
  });
}

/** What happened to a person: registrations, memberships, grants by name. */
export function entriesOfUser(facts: PermissionIntervals, user: Email): readonly Entry[] {
  return facts.incarnations().flatMap((incarnation) => {
    const person = facts.person(incarnation.number, user);
    if (person === null) return [];
    const registration = registrationsOf(person, incarnation);
    const memberships = joinedAndLeft(facts, () => user, facts.groupsOf(person.number)).sort(byWords);
    const grants = facts
      .grantsTo(person.number)
      .flatMap((edge) => granted(documentName(incarnation.name, facts.documentIdOf(edge[0])), user, edge));
    return upToClosing(incarnation, [...registration, ...memberships, ...grants]);
  });
}

/** When a person was registered on an incarnation, and deleted from it. */
export const registrationsOf = ({ email, registrations }: Person, { name }: Incarnation): readonly Entry[] =>
  turns(registrations, () => [`${email} was registered on ${name}`, `${email} was deleted from ${name}`]);

/**
 * What happened to the groups that ever bore this name: their names, who joined and left, where they joined and left;
 * and what was granted to the name.
 */
export function entriesOfGroup(facts: PermissionIntervals, datasource: DatasourceName, name: string): readonly Entry[] {
  return facts.incarnations(datasource).flatMap((incarnation) => {
    const principal = facts.principal(incarnation.number, "group", name);
    if (principal === null) return [];
    const groups = new Set(facts.groupsNamed(principal).map(([group]) => group));
    const entries = [...groups].flatMap((group) => [
      ...namings(facts, group),
      ...membersOf(facts, group),
      ...nestingsOf(facts, group, groups),
    ]);
    const grants = facts
      .grantsTo(principal)
      .flatMap((edge) =>
        granted(documentName(incarnation.name, facts.documentIdOf(edge[0])), `the group ${name}`, edge),
      );
    return upToClosing(incarnation, [...entries, ...grants]);
  });
}

/**
 * For those of one event, whatever the numbers are that a version of the history gives: a page may end between them.
 */
const byWords = ([, a]: Entry, [, b]: Entry): number => (a < b ? -1 : Number(a > b));

/** The entries in the order of the log, each with the event that it comes from. */
export function* inOrder(history: PermissionHistory, entries: readonly Entry[]): Generator<ExplainedFact> {
  for (const entry of entries.toSorted(([a], [b]) => a - b)) {
    const explained = explain(history, entry);
    if (explained !== null) yield explained;
  }
}

/** An entry with the event that it comes from; null where the history does not hold that. */
export function explain(
  history: PermissionHistory,
  [position, fact, isByDefault = false]: Entry,
): ExplainedFact | null {
  const source = history.source(position);
  if (source === null) return null;
  const { event, stream, revision, time, recordedTime, by } = source;
  const times = describeTimes(time, recordedTime);
  const explained = { fact, event, stream, revision, position: String(position), ...times, by };
  return isByDefault ? decidedByDefault(explained) : explained;
}

/** Adds the end of the datasource, where something had happened there. */
export const upToClosing = ({ name, closed }: Incarnation, entries: readonly Entry[]): readonly Entry[] =>
  entries.length === 0 || closed === still ? entries : [...entries, [closed, `the datasource ${name} was deleted`]];

function turns(spans: readonly Span[], say: (opened: number) => readonly [began: string, ended: string]): Entry[] {
  return spans.flatMap(([opened, closed]): Entry[] => {
    const [began, ended] = say(opened);
    return closed === still
      ? [[opened, began]]
      : [
          [opened, began],
          [closed, ended],
        ];
  });
}

const granted = (document: string, target: string, [, opened, closed]: Edge, isByDefault = false): Entry[] =>
  turns([[opened, closed]], () => [
    `${document} was granted to ${target}`,
    `the grant of ${document} to ${target} ended`,
  ]).map(([position, sentence]) => [position, sentence, isByDefault && position === opened]);

/** Describes the person or group that a grant is for. */
export function targetOf(facts: PermissionIntervals, principal: number): string {
  const { kind, name } = facts.principalOf(principal);
  if (kind === "anonymous") return "everybody registered";
  return kind === "user" ? name : `the group ${name}`;
}

/** When somebody joined and left each of these groups. */
export const joinedAndLeft = (
  facts: PermissionIntervals,
  whoAt: (position: number) => string,
  groups: readonly Edge[],
): Entry[] =>
  groups.flatMap(([group, opened, closed]) =>
    turns([[opened, closed]], () => [
      `${whoAt(opened)} joined the group ${nameAt(facts, group, opened)}`,
      `${whoAt(closed)} left the group ${nameAt(facts, group, closed)}`,
    ]),
  );

/** When a group was created, renamed and deleted. */
export function namings(facts: PermissionIntervals, group: number): Entry[] {
  const names = facts
    .namesOf(group)
    .map(([principal, opened, closed]) => ({ opened, closed, name: facts.principalOf(principal).name }));
  const named = names.map(({ opened, name }, index): Entry => {
    const before = names[index - 1];
    return [
      opened,
      before === undefined ? `the group ${name} was created` : `the group ${before.name} was renamed to ${name}`,
    ];
  });
  const last = names.at(-1);
  const isDeleted = last !== undefined && last.closed !== still;
  return isDeleted ? [...named, [last.closed, `the group ${last.name} was deleted`]] : named;
}

/** When people joined and left a group. */
export const membersOf = (facts: PermissionIntervals, group: number): Entry[] =>
  facts
    .membersOf(group)
    .flatMap(([person, opened, closed]) =>
      joinedAndLeft(facts, () => facts.personOf(person).email, [[group, opened, closed]]),
    )
    .sort(byWords);

/** A nesting between two of the groups is told once. */
function nestingsOf(facts: PermissionIntervals, group: number, groups: ReadonlySet<number>): Entry[] {
  const nested = (member: number, edge: Edge): Entry[] =>
    joinedAndLeft(facts, (position) => `the group ${nameAt(facts, member, position)}`, [edge]);
  const inside = facts.childrenOf(group).flatMap(([member, opened, closed]) => nested(member, [group, opened, closed]));
  return [...inside, ...facts.parentsOf(group).flatMap((edge) => (groups.has(edge[0]) ? [] : nested(group, edge)))];
}

/** The name that a group had at a position, or has had last. */
export function nameAt(facts: PermissionIntervals, group: number, position: number): string {
  const borne = facts.namesOf(group).filter(([, opened]) => opened <= position);
  const last = borne.at(-1);
  return last === undefined ? "" : facts.principalOf(last[0]).name;
}
