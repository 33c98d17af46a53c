import { match } from "ts-pattern";
import type { GroupGraphEvent } from "../../src/events/groupGraph.js";
import type { MembershipEvent } from "../../src/events/membership.js";
import type { GroupId } from "../../src/shared/ids.js";

/** A group, as the graph knows it. */
export interface GroupNode {
  name: string;
  /** Groups that this one is a direct member of: few, and a Set for each of 200,000 groups takes long to make. */
  parents: readonly GroupId[];
}

/**
 * The groups of a datasource and which group is a direct member of which. It holds up to 200,000 groups, so it evolves
 * in place: its only owner is the fold.
 */
export interface GroupGraph {
  readonly groups: GraphMap<GroupId, GroupNode>;
  readonly idsByName: GraphMap<string, GroupId>;
}

/** What of a map it takes to decide and to evolve. */
export interface GraphMap<Key, Value> {
  /** About how many there are. */
  readonly size: number;
  [Symbol.iterator](): Iterator<[Key, Value]>;
  get(key: Key): Value | undefined;
  has(key: Key): boolean;
  set(key: Key, value: Value): unknown;
  delete(key: Key): unknown;
}

export const initialState = (): GroupGraph => ({ groups: new Map(), idsByName: new Map() });

type Evolve<Type extends GroupGraphEvent["type"]> = (
  graph: GroupGraph,
  data: Extract<GroupGraphEvent, { readonly type: Type }>["data"],
) => void;

/** A table instead of ts-pattern, which takes longer than the change itself: a start folds half a million events. */
const evolveBy: { readonly [Type in GroupGraphEvent["type"]]: Evolve<Type> } = {
  MembershipAdded: join,
  MembershipRemoved: leave,
  GroupCreated: (graph, { groupId, name }) => {
    graph.groups.set(groupId, { name, parents: noParents });
    graph.idsByName.set(name, groupId);
  },
  GroupDeleted: (graph, { groupId, name }) => {
    graph.groups.delete(groupId);
    if (graph.idsByName.get(name) === groupId) graph.idsByName.delete(name);
  },
  GroupRenamed: (graph, { groupId, name, previousName }) => rename(graph, groupId, previousName, name),
};

const noParents: readonly GroupId[] = [];

/** Changes the graph it is given, and returns it. */
export function evolve(graph: GroupGraph, { type, data }: GroupGraphEvent): GroupGraph {
  evolveBy[type](graph, data as never);
  return graph;
}

/** Takes back the newest event, in place. */
export function retract(graph: GroupGraph, event: GroupGraphEvent): GroupGraph {
  match(event)
    .with({ type: "MembershipAdded" }, ({ data }) => leave(graph, data))
    .with({ type: "MembershipRemoved" }, ({ data }) => join(graph, data))
    .with({ type: "GroupCreated" }, ({ data: { groupId, name } }) => {
      graph.groups.delete(groupId);
      graph.idsByName.delete(name);
    })
    // Its nestings had ended before it did.
    .with({ type: "GroupDeleted" }, ({ data: { groupId, name } }) => {
      graph.groups.set(groupId, { name, parents: noParents });
      graph.idsByName.set(name, groupId);
    })
    .with({ type: "GroupRenamed" }, ({ data: { groupId, name, previousName } }) =>
      rename(graph, groupId, name, previousName),
    )
    .exhaustive();
  return graph;
}

/** True where `member` is a direct member of `group`. */
export const isDirectMember = (graph: GroupGraph, member: GroupId, group: GroupId): boolean =>
  graph.groups.get(member)?.parents.includes(group) === true;

/** The groups that this one is a direct member of, and its direct members among groups. Looks at every group. */
export function nestingsOf(
  graph: GroupGraph,
  groupId: GroupId,
): readonly { readonly group: GroupId; readonly member: GroupId }[] {
  const above = (graph.groups.get(groupId)?.parents ?? []).map((group) => ({ group, member: groupId }));
  const below: { readonly group: GroupId; readonly member: GroupId }[] = [];
  for (const [member, { parents }] of graph.groups)
    if (parents.includes(groupId)) below.push({ group: groupId, member });
  return [...above, ...below];
}

/**
 * The way on which `group` is already, through any number of groups, a member of `member`: both ends included, by name.
 * null where there is none. Were `member` to join `group`, this way would close to a cycle.
 */
export function pathUp(graph: GroupGraph, group: GroupId, member: GroupId): readonly string[] | null {
  const cameFrom = new Map<GroupId, GroupId | null>([[group, null]]);
  for (const reached of cameFrom.keys()) {
    if (reached === member) return namesBackTo(graph, cameFrom, reached);
    for (const parent of graph.groups.get(reached)?.parents ?? []) {
      // A map keeps its order and takes additions while it is walked: this is the queue of a breadth-first search.
      if (!cameFrom.has(parent)) cameFrom.set(parent, reached);
    }
  }
  return null;
}

function namesBackTo(
  graph: GroupGraph,
  cameFrom: ReadonlyMap<GroupId, GroupId | null>,
  last: GroupId,
): readonly string[] {
  const names: string[] = [];
  for (let at: GroupId | null = last; at !== null; at = cameFrom.get(at) ?? null)
    names.unshift(graph.groups.get(at)?.name ?? at);
  return names;
}

function rename(graph: GroupGraph, groupId: GroupId, from: string, to: string): void {
  const node = graph.groups.get(groupId);
  if (node === undefined) return;
  node.name = to;
  if (graph.idsByName.get(from) === groupId) graph.idsByName.delete(from);
  graph.idsByName.set(to, groupId);
}

function join(graph: GroupGraph, { groupId, member }: MembershipEvent["data"]): void {
  const node = member.kind === "group" ? graph.groups.get(member.groupId) : undefined;
  if (node !== undefined && !node.parents.includes(groupId)) node.parents = [...node.parents, groupId];
}

function leave(graph: GroupGraph, { groupId, member }: MembershipEvent["data"]): void {
  const node = member.kind === "group" ? graph.groups.get(member.groupId) : undefined;
  if (node !== undefined) node.parents = node.parents.filter((parent) => parent !== groupId);
}
