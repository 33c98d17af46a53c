import type { GraphMap, GroupGraph, GroupNode } from "../../../commands/group/groupGraph.js";
import type { GroupGraphTimeline } from "../timeline/groupGraphTimeline.js";
import { openAt } from "../timeline/intervals.js";
import type { GroupId } from "../../shared/ids.js";
import type { Position } from "../../shared/position.js";

/**
 * The group graph as a history tells it at a position, to be evolved like a folded one. Changes stay in it, and a group
 * costs nothing before it is asked for. The history may follow later events meanwhile.
 */
export function groupGraphAsOf(history: GroupGraphTimeline, position: Position): GroupGraph {
  return {
    groups: new EvolvingMap(history.groups, (groupId: GroupId) => groupAt(history, groupId, position)),
    idsByName: new EvolvingMap(history.names, (name: string) => openAt(history.names.get(name), position)?.groupId),
  };
}

function groupAt({ groups }: GroupGraphTimeline, groupId: GroupId, position: Position): GroupNode | undefined {
  const group = groups.get(groupId);
  const naming = openAt(group?.names, position);
  if (group === undefined || naming === null) return undefined;
  const parents = [...(group.parents ?? [])]
    .filter(([, membership]) => openAt(membership, position) !== null)
    .map(([parent]) => parent);
  return { name: naming.name, parents };
}

/** Looks values up behind it, and remembers its own changes. */
class EvolvingMap<Key, Value> implements GraphMap<Key, Value> {
  private readonly own = new Map<Key, Value | null>();

  constructor(
    /** Holds every key that there may be a value for. */
    private readonly keys: ReadonlyMap<Key, unknown>,
    private readonly behind: (key: Key) => Value | undefined,
  ) {}

  get size(): number {
    return this.keys.size;
  }

  *[Symbol.iterator](): Generator<[Key, Value]> {
    for (const key of new Set([...this.keys.keys(), ...this.own.keys()])) {
      const value = this.get(key);
      if (value !== undefined) yield [key, value];
    }
  }

  get(key: Key): Value | undefined {
    const own = this.own.get(key);
    if (own !== undefined) return own ?? undefined;
    const found = this.behind(key);
    // Kept, since values change in place.
    if (found !== undefined) this.own.set(key, found);
    return found;
  }

  has(key: Key): boolean {
    return this.get(key) !== undefined;
  }

  set(key: Key, value: Value): void {
    this.own.set(key, value);
  }

  delete(key: Key): void {
    this.own.set(key, null);
  }
}
