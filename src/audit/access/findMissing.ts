import { grantedGroups } from "./findChain.js";
import { endedBy, openAt, type Interval, type Origin, type Intervals } from "../timeline/intervals.js";
import { type Missing, type Situation, closureAt, coneAt } from "./situation.js";
import type { GroupId } from "../../shared/ids.js";
import { nameAt } from "../timeline/streamTimelines.js";

const mostNamed = 5;

/**
 * Why no chain leads from the document to the person. To be asked where none does, or where one of the two is absent.
 */
export function findMissing(situation: Situation): Missing {
  const { subject, document, person } = situation;
  const { email, datasource, documentId, position } = subject;
  const name = `${datasource}/${documentId}`;
  if (openAt(document.existence, position) === null) {
    const deleted = endedBy(document.existence, position);
    const ended = deleted && {
      fact: `${name} was deleted`,
      origin: deleted.closed,
    };
    return {
      kind: "document_absent",
      detail: ended === null ? `${name} has never been indexed.` : `${name} was deleted.`,
      ended,
    };
  }
  if (openAt(person.registrations, position) === null) {
    const deleted = endedBy(person.registrations, position);
    return {
      kind: "not_registered",
      detail: `${email} is not registered on ${datasource}${deleted === null ? "" : " any more"}, and sees none of its documents.`,
      ended: deleted && {
        fact: `${email} was deleted from ${datasource}`,
        origin: deleted.closed,
      },
    };
  }
  return findLapse(situation) ?? neverGranted(situation);
}

/** Nothing that is missing was ever there. */
function neverGranted({ subject: { email, datasource, documentId, position }, document, graph }: Situation): Missing {
  const name = `${datasource}/${documentId}`;
  const groups = [...document.groups]
    .filter(([, intervals]) => openAt(intervals, position) !== null)
    .map(([group]) => group);
  if (groups.length === 0) {
    const isByDefault = openAt(document.byDefault, position) !== null;
    const nobody = isByDefault
      ? `${name} grants nobody: it was pushed without permissions, and the datasource's default_access was nobody.`
      : `${name} grants nobody.`;
    const isGranted = [...document.users.values()].some((intervals) => openAt(intervals, position) !== null);
    return {
      kind: "no_grant",
      detail: isGranted ? `${name} grants other people, and no group.` : nobody,
      ended: null,
    };
  }
  if (grantedGroups(document, graph, position).size === 0) {
    return {
      kind: "group_absent",
      detail: `${name} grants only groups that do not exist: ${listed(groups)}.`,
      ended: null,
    };
  }
  return {
    kind: "not_a_member",
    detail: `${email} belongs to none of the groups that ${name} grants: ${listed(groups)}.`,
    ended: null,
  };
}

const listed = (names: readonly string[]): string =>
  names.length <= mostNamed
    ? names.join(", ")
    : `${names.slice(0, mostNamed).join(", ")} and ${names.length - mostNamed} more`;

/** Something that once was and is no more, and that alone would make it a yes. */
type Lapse = Missing & { readonly closed: Origin };

/**
 * The nearest missing edge: a grant, a name, a nesting or a membership that once was, and that alone would lead from
 * the document to the person again. Among several, the one that ended last; null where there is none.
 */
function findLapse(situation: Situation): Missing | null {
  const above = closureAt(situation.person.groups, situation.graph, situation.subject.position);
  const lapses = [
    ...lapsedGrants(situation, above),
    ...lapsedNames(situation, above),
    ...lapsedEdges(situation, above),
  ];
  let newest: Lapse | null = null;
  for (const lapse of lapses) if (newest === null || lapse.closed.position > newest.closed.position) newest = lapse;
  return newest && { kind: newest.kind, detail: newest.detail, ended: newest.ended };
}

/** The interval that ended, unless the same is so again. */
function lapsed<Of extends Interval>(
  intervals: Intervals<Of> | undefined,
  position: Situation["subject"]["position"],
): (Of & { readonly closed: Origin }) | null {
  return openAt(intervals, position) === null ? endedBy(intervals, position) : null;
}

function lapsedGrants({ subject, document, graph }: Situation, above: ReadonlySet<GroupId>): Lapse[] {
  const { email, datasource, documentId, position } = subject;
  const name = `${datasource}/${documentId}`;
  const lapse = (intervals: Intervals | undefined, whom: string): Lapse[] => {
    const ended = lapsed(intervals, position);
    if (ended === null) return [];
    const fact = `${name} ceased to grant ${whom}`;
    return [
      {
        kind: "no_grant",
        detail: `${name} does not grant ${whom} any more.`,
        ended: { fact, origin: ended.closed },
        closed: ended.closed,
      },
    ];
  };
  const groups = [...document.groups].flatMap(([group, intervals]) => {
    const naming = openAt(graph.names.get(group), position);
    return naming !== null && above.has(naming.groupId) ? lapse(intervals, `the group ${group}`) : [];
  });
  return [...lapse(document.anonymous, "everybody registered"), ...lapse(document.users.get(email), email), ...groups];
}

/** Documents grant names: a group that is renamed leaves them behind (spec: Visibility rules, 8). */
function lapsedNames(
  { subject: { datasource, documentId, position }, document, graph }: Situation,
  above: ReadonlySet<GroupId>,
): Lapse[] {
  return [...document.groups].flatMap(([group, intervals]): Lapse[] => {
    const naming = openAt(intervals, position) === null ? null : lapsed(graph.names.get(group), position);
    if (naming === null || !above.has(naming.groupId)) return [];
    const now = nameAt(graph, naming.groupId, position);
    const detail = `${datasource}/${documentId} grants the group ${group}, which was renamed to ${now}: documents keep the old name until they are indexed again.`;
    const ended = {
      fact: `the group ${group} was renamed to ${now}`,
      origin: naming.closed,
    };
    return [{ kind: "group_absent", detail, ended, closed: naming.closed }];
  });
}

/** Memberships of the person, and of the groups to which the person belongs, in groups that lead to a granted one. */
function lapsedEdges(
  { subject: { email, position }, document, person, graph }: Situation,
  above: ReadonlySet<GroupId>,
): Lapse[] {
  const granted = grantedGroups(document, graph, position);
  const known = new Map<GroupId, boolean>();
  const leads = (group: GroupId): boolean => {
    const isKnown = known.get(group);
    if (isKnown !== undefined) return isKnown;
    const found = [...coneAt(group, graph, position)].some((reached) => granted.has(reached));
    known.set(group, found);
    return found;
  };
  const edges = (parents: ReadonlyMap<GroupId, Intervals>, member: string): Lapse[] =>
    [...parents].flatMap(([parent, intervals]): Lapse[] => {
      const membership = lapsed(intervals, position);
      if (membership === null || !leads(parent)) return [];
      const group = nameAt(graph, parent, position);
      const ended = { fact: `${member} ceased to be a member of ${group}`, origin: membership.closed };
      return [
        {
          kind: "not_a_member",
          detail: `${member} is not a member of ${group} any more.`,
          ended,
          closed: membership.closed,
        },
      ];
    });
  const nestings = [...above].flatMap((group) =>
    edges(graph.groups.get(group)?.parents ?? new Map<GroupId, Intervals>(), nameAt(graph, group, position)),
  );
  return [...edges(person.groups, email), ...nestings];
}
