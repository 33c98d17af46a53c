import type { GroupId } from "../../shared/ids.js";
import { closureAt, coneAt } from "./closureAt.js";
import { grantedGroups } from "./findChain.js";
import type { Missing } from "./missing.js";
import { nameAt } from "../timeline/groupGraphTimeline.js";
import { endedBy, openAt, type Interval, type Origin, type Intervals } from "../timeline/intervals.js";
import type { Situation } from "./situation.js";

/** Something that once was and is no more, and that alone would make it a yes. */
type Lapse = Missing & { readonly closed: Origin };

/**
 * The nearest missing edge: a grant, a name, a nesting or a membership that once was, and that alone would lead from
 * the document to the person again. Of several, the one that ended last; null where there is none.
 */
export function findLapse(situation: Situation): Missing | null {
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
