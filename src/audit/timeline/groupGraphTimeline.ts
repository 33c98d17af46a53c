import { match } from "ts-pattern";
import type { GroupId } from "../../shared/ids.js";
import type { Position } from "../../shared/position.js";
import { close, endedBy, openAt, openNow, openOf, type Interval, type Intervals } from "./intervals.js";
import type { TimelineKind } from "./streamTimelines.js";

/** For how long a name meant this group. */
export interface NamingInterval extends Interval {
  readonly groupId: GroupId;
  readonly name: string;
}

/** What a group was called, and which groups contained it. */
export interface GroupTimeline {
  readonly names: Intervals<NamingInterval>;
  /** Groups that this one was a direct member of; null until there is one. */
  parents: Map<GroupId, Intervals> | null;
}

/** The groups of one incarnation of a datasource. */
export interface GroupGraphTimeline {
  readonly names: Map<string, Intervals<NamingInterval>>;
  readonly groups: Map<GroupId, GroupTimeline>;
  nestings: number;
}

/** What is told of one group. */
export const groupTimeline: TimelineKind<"group", GroupTimeline> = {
  about: "group",
  empty: () => ({ names: [], parents: null }),
  follow(group, fact, origin) {
    match(fact)
      .with({ kind: "created" }, { kind: "renamed" }, ({ groupId, name }) => {
        if (openNow(group.names)?.name === name) return;
        close(group.names, origin);
        group.names.push({ groupId, name, opened: origin, closed: null });
      })
      .with({ kind: "deleted" }, () => close(group.names, origin))
      .with({ kind: "joined" }, ({ parentId }) => {
        group.parents ??= new Map();
        openOf(group.parents, parentId, { opened: origin, closed: null });
      })
      .with({ kind: "left" }, ({ parentId }) => close(group.parents?.get(parentId), origin))
      .exhaustive();
  },
  cacheCost: ({ names, parents }) => 1 + names.length + (parents?.size ?? 0),
};

/** What a group graph's stream tells. */
export const groupGraphTimeline: TimelineKind<"group", GroupGraphTimeline> = {
  about: "group",
  empty: () => ({ names: new Map(), groups: new Map(), nestings: 0 }),
  follow(graph, fact, origin) {
    const group = groupIn(graph, fact.groupId);
    groupTimeline.follow(group, fact, origin);
    if (fact.kind === "joined") graph.nestings++;
    if (fact.kind === "deleted") close(graph.names.get(fact.name), origin);
    const naming = group.names.at(-1);
    if (naming?.opened !== origin) return;
    if (fact.kind === "renamed") close(graph.names.get(fact.previousName), origin);
    openOf(graph.names, naming.name, naming);
  },
  cacheCost: ({ groups, nestings }) => 4 * groups.size + 2 * nestings,
};

/** What a group was called at a position, or last before it; its id where it was not there yet. */
export function nameAt({ groups }: GroupGraphTimeline, groupId: GroupId, position: Position): string {
  const names = groups.get(groupId)?.names;
  return (openAt(names, position) ?? endedBy(names, position))?.name ?? groupId;
}

function groupIn({ groups }: GroupGraphTimeline, groupId: GroupId): GroupTimeline {
  const known = groups.get(groupId);
  if (known !== undefined) return known;
  const group = groupTimeline.empty();
  groups.set(groupId, group);
  return group;
}
