import type { Email, GroupId } from "../../shared/ids.js";
import { laterOf, type Position } from "../../shared/position.js";
import type {
  DocumentTimeline,
  PersonTimeline,
  GroupGraphTimeline,
  NamingInterval,
} from "../timeline/streamTimelines.js";
import { openAt, type Interval, type Intervals } from "../timeline/intervals.js";

/** One step from a group to its member: the group that is joined, and for how long. */
interface Step {
  readonly group: GroupId;
  readonly membership: Interval;
}

/** Why a person sees a document: what it grants, and for a group the way from there down to the person. */
export type Chain =
  | { readonly kind: "anonymous" | "user"; readonly grant: Interval }
  /** Each step's member is the group of the next; the last one's is the person. */
  | {
      readonly kind: "group";
      readonly grant: Interval;
      readonly naming: NamingInterval;
      readonly steps: readonly Step[];
    };

/** A group that a document grants at a position, through the name that it bears. */
interface GrantedGroup {
  readonly naming: NamingInterval;
  readonly grant: Interval;
}

/** A group to which somebody belongs, and how: over time the latest of the memberships on the way counts. */
interface Reached {
  readonly since: Position;
  readonly membership: Interval;
  /** The group on the way before; null: the person. */
  readonly from: GroupId | null;
}

/**
 * The shortest chain at a position, and of several the one that has been there longest. null: there is none. Does not
 * look at whether document and person are there.
 */
export function findChain(
  email: Email,
  document: DocumentTimeline,
  person: PersonTimeline,
  graph: GroupGraphTimeline,
  position: Position,
): Chain | null {
  const anonymous = openAt(document.anonymous, position);
  const user = openAt(document.users.get(email), position);
  if (anonymous !== null && (user === null || anonymous.opened.position <= user.opened.position))
    return { kind: "anonymous", grant: anonymous };
  if (user !== null) return { kind: "user", grant: user };
  const granted = grantedGroups(document, graph, position);
  return granted.size === 0 ? null : findWay(person, graph, granted, position);
}

/** The groups that the document grants at a position: those that bear the names it grants. */
export function grantedGroups(
  document: DocumentTimeline,
  graph: GroupGraphTimeline,
  position: Position,
): ReadonlyMap<GroupId, GrantedGroup> {
  const granted = new Map<GroupId, GrantedGroup>();
  for (const [name, intervals] of document.groups) {
    const grant = openAt(intervals, position);
    const naming = grant === null ? null : openAt(graph.names.get(name), position);
    if (grant !== null && naming !== null) granted.set(naming.groupId, { naming, grant });
  }
  return granted;
}

/** Breadth first, from the person upwards: the first round that meets granted groups holds the shortest ways. */
function findWay(
  person: PersonTimeline,
  graph: GroupGraphTimeline,
  granted: ReadonlyMap<GroupId, GrantedGroup>,
  position: Position,
): Chain | null {
  const reached = new Map<GroupId, Reached>();
  let round = extend(new Map(), [{ from: null, since: null, parents: person.groups }], reached, position);
  while (round.size > 0) {
    for (const [group, way] of round) reached.set(group, way);
    const best = oldest(round, granted);
    if (best !== null) return chainTo(best, reached, granted);
    const sources = [...round].map(([from, { since }]) => ({
      from,
      since,
      parents: graph.groups.get(from)?.parents ?? new Map<GroupId, Intervals>(),
    }));
    round = extend(new Map(), sources, reached, position);
  }
  return null;
}

interface Source {
  readonly from: GroupId | null;
  readonly since: Position | null;
  readonly parents: ReadonlyMap<GroupId, Intervals>;
}

/** One step up from everything that was reached in the round before. */
function extend(
  round: Map<GroupId, Reached>,
  sources: readonly Source[],
  reached: ReadonlyMap<GroupId, Reached>,
  position: Position,
): Map<GroupId, Reached> {
  for (const { from, since, parents } of sources) {
    for (const [group, intervals] of parents) {
      const membership = reached.has(group) ? null : openAt(intervals, position);
      if (membership === null) continue;
      const opened = membership.opened.position;
      const both = since === null ? opened : laterOf(since, opened);
      const other = round.get(group);
      if (other === undefined || both < other.since) round.set(group, { since: both, membership, from });
    }
  }
  return round;
}

function oldest(round: ReadonlyMap<GroupId, Reached>, granted: ReadonlyMap<GroupId, GrantedGroup>): GroupId | null {
  let best: { readonly group: GroupId; readonly since: Position } | null = null;
  for (const [group, { since }] of round) {
    const target = granted.get(group);
    if (target === undefined) continue;
    const whole = laterOf(since, laterOf(target.grant.opened.position, target.naming.opened.position));
    if (best === null || whole < best.since) best = { group, since: whole };
  }
  return best?.group ?? null;
}

function chainTo(
  group: GroupId,
  reached: ReadonlyMap<GroupId, Reached>,
  granted: ReadonlyMap<GroupId, GrantedGroup>,
): Chain | null {
  const target = granted.get(group);
  if (target === undefined) return null;
  const steps: Step[] = [];
  for (let at: GroupId | null = group; at !== null;) {
    const way: Reached | undefined = reached.get(at);
    if (way === undefined) break;
    steps.push({ group: at, membership: way.membership });
    at = way.from;
  }
  return { kind: "group", ...target, steps };
}
