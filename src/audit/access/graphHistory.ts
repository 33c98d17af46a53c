import type { RecordedEvent } from "../../events/domainEvent.js";
import type { GroupId } from "../../shared/ids.js";
import type { Position } from "../../shared/position.js";
import { close, open, openAt, originOf, type Interval, type Origin, type Timeline } from "./intervals.js";
import type { HistoryKind } from "./streamHistories.js";

/** For how long a name meant this group. */
export interface NamingInterval extends Interval {
  readonly groupId: GroupId;
  readonly name: string;
}

/** The groups of one datasource incarnation: what they were called, and which contained which. */
export interface GraphHistory {
  readonly names: Map<string, Timeline<NamingInterval>>;
  readonly groups: Map<GroupId, GroupHistory>;
  nestings: number;
}

export interface GroupHistory {
  readonly names: Timeline<NamingInterval>;
  /** Groups that this one was a direct member of; null until there is one. */
  parents: Map<GroupId, Timeline> | null;
}

/** The history in a group graph's stream. */
export const graphHistory: HistoryKind<GraphHistory> = {
  empty: () => ({ names: new Map(), groups: new Map(), nestings: 0 }),
  follow(graph, recorded: RecordedEvent) {
    const { event } = recorded;
    const origin = originOf(recorded);
    if (event.type === "GroupCreated") name(graph, event.data.groupId, event.data.name, origin);
    if (event.type === "GroupRenamed") {
      close(graph.names.get(event.data.previousName), origin);
      name(graph, event.data.groupId, event.data.name, origin);
    }
    if (event.type === "MembershipAdded" && event.data.member.kind === "group")
      nest(graph, event.data.member.groupId, event.data.groupId, origin);
    if (event.type === "MembershipRemoved" && event.data.member.kind === "group") {
      close(graph.groups.get(event.data.member.groupId)?.parents?.get(event.data.groupId), origin);
    }
  },
  weigh: ({ groups, nestings }) => 4 * groups.size + 2 * nestings,
};

/** What a group was called at a position; its id where it was not there yet. */
export const nameAt = ({ groups }: GraphHistory, groupId: GroupId, position: Position): string =>
  openAt(groups.get(groupId)?.names, position)?.name ?? groupId;

function name(graph: GraphHistory, groupId: GroupId, newName: string, origin: Origin): void {
  const group = groupOf(graph, groupId);
  close(group.names, origin);
  const naming = { groupId, name: newName, opened: origin, closed: null };
  group.names.push(naming);
  open(graph.names, newName, naming);
}

function nest(graph: GraphHistory, member: GroupId, parent: GroupId, origin: Origin): void {
  const group = groupOf(graph, member);
  group.parents ??= new Map();
  open(group.parents, parent, { opened: origin, closed: null });
  graph.nestings++;
}

function groupOf({ groups }: GraphHistory, groupId: GroupId): GroupHistory {
  const known = groups.get(groupId);
  if (known !== undefined) return known;
  const group: GroupHistory = { names: [], parents: null };
  groups.set(groupId, group);
  return group;
}
