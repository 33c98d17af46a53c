import type { Email, GroupId } from "../../src/shared/ids.js";
import type { Position } from "../../src/shared/position.js";

/** Whether a person belongs to a group, as the event at this position has it. */
export interface ToldMembership {
  readonly isMember: boolean;
  readonly at: Position;
}

/** What is told of a person's memberships, group by group. */
export type ToldMemberships = ReadonlyMap<GroupId, ToldMembership>;

/** Of somebody of whom nothing is told. */
export const nothingTold: ToldMemberships = new Map();

/** All that is told of the memberships of a person who is registered. */
export interface AllTold {
  readonly registeredAt: Position;
  /** By the person's own stream, since then. */
  readonly own: ToldMemberships;
  /** By the stream of groups' members, whenever. */
  readonly replaced: ToldMemberships;
}

/** Whether the person belongs to a group: the later of what the two streams tell counts, and nothing of before. */
export function belongsTo({ registeredAt, own, replaced }: AllTold, groupId: GroupId): boolean {
  const [one, other] = [own.get(groupId), replaced.get(groupId)];
  const last = other === undefined || (one !== undefined && one.at > other.at) ? one : other;
  return last !== undefined && last.isMember && last.at >= registeredAt;
}

/** The groups that the person belongs to. */
export const groupsOf = (told: AllTold): readonly GroupId[] =>
  [...new Set([...told.own.keys(), ...told.replaced.keys()])].filter((groupId) => belongsTo(told, groupId));

/** Who belongs to a group at a position of the log, as the read model has it that knows memberships from this end. */
export interface KnownMembers {
  readonly groupId: GroupId;
  /** Everything up to here is in it. */
  readonly asOf: Position;
  /** People alone, and direct members alone. */
  readonly members: ReadonlySet<Email>;
  /** Those who were asked about and are not registered. */
  readonly unregistered: readonly Email[];
}
