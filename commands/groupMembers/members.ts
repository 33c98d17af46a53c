import type { Email, GroupId } from "../../src/shared/ids.js";
import type { Position } from "../../src/shared/position.js";

/** Whether a person belongs to a group, as the event at this position has it. */
export interface ToldMembership {
  readonly isMember: boolean;
  readonly at: Position;
}

/** What one stream says of a person's memberships, group by group. */
export type ToldMemberships = ReadonlyMap<GroupId, ToldMembership>;

/** The memberships of a person about whom a stream says nothing. */
export const nothingTold: ToldMemberships = new Map();

/** All that the streams say of the memberships of a registered person. */
interface AllTold {
  readonly registeredAt: Position;
  /** By the person's own stream, since then. */
  readonly own: ToldMemberships;
  /** By the stream of groups' members, whenever. */
  readonly replaced: ToldMemberships;
}

/**
 * Whether the person belongs to a group: of what the two streams say the later counts, and nothing from before the
 * registration.
 */
export function belongsTo({ registeredAt, own, replaced }: AllTold, groupId: GroupId): boolean {
  const [one, other] = [own.get(groupId), replaced.get(groupId)];
  const last = other === undefined || (one !== undefined && one.at > other.at) ? one : other;
  return last !== undefined && last.isMember && last.at >= registeredAt;
}

/** The groups that the person belongs to. */
export const groupsOf = (told: AllTold): readonly GroupId[] =>
  [...new Set([...told.own.keys(), ...told.replaced.keys()])].filter((groupId) => belongsTo(told, groupId));

/** The members of a group at a position of the log, from the read model that lists memberships by group. */
export interface KnownMembers {
  readonly groupId: GroupId;
  /** The events up to this position are in it. */
  readonly asOf: Position;
  /** People alone, and direct members alone. */
  readonly members: ReadonlySet<Email>;
  /** People that the question named and that are not registered. */
  readonly unregistered: readonly Email[];
}
