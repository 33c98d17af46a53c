import type { GroupId } from "../../shared/ids.js";
import type { Position } from "../../shared/position.js";
import type { GroupGraphTimeline } from "../timeline/groupGraphTimeline.js";
import { openAt, type Intervals } from "../timeline/intervals.js";

/** The groups to which a direct member of `direct` belongs at a position: those, and all above them. */
export function closureAt(
  direct: ReadonlyMap<GroupId, Intervals>,
  graph: GroupGraphTimeline,
  position: Position,
): ReadonlySet<GroupId> {
  const reached = new Set<GroupId>();
  join(reached, direct, position);
  // A set keeps its order and takes additions while it is walked.
  for (const group of reached)
    join(reached, graph.groups.get(group)?.parents ?? new Map<GroupId, Intervals>(), position);
  return reached;
}

/** A group with all above it. */
export function coneAt(group: GroupId, graph: GroupGraphTimeline, position: Position): ReadonlySet<GroupId> {
  return new Set([
    group,
    ...closureAt(graph.groups.get(group)?.parents ?? new Map<GroupId, Intervals>(), graph, position),
  ]);
}

function join(reached: Set<GroupId>, parents: ReadonlyMap<GroupId, Intervals>, position: Position): void {
  for (const [group, intervals] of parents)
    if (!reached.has(group) && openAt(intervals, position) !== null) reached.add(group);
}
