import type { DatasourceId, Email, GroupId } from "../shared/ids.js";

/** A member of a group: a person, or another group with all of its members. */
export type Member =
  { readonly kind: "user"; readonly email: Email } | { readonly kind: "group"; readonly groupId: GroupId };

interface MembershipFact {
  readonly datasourceId: DatasourceId;
  /** The group that the member belongs to. */
  readonly groupId: GroupId;
  readonly member: Member;
}

/** In the group graph's stream where the member is a group, in the person's stream where it is a person. */
export interface MembershipAdded {
  readonly type: "MembershipAdded";
  readonly data: MembershipFact;
}

export interface MembershipRemoved {
  readonly type: "MembershipRemoved";
  readonly data: MembershipFact;
}

export type MembershipEvent = MembershipAdded | MembershipRemoved;

export const membershipEventTypes: Readonly<Record<MembershipEvent["type"], true>> = {
  MembershipAdded: true,
  MembershipRemoved: true,
};

/**
 * A client named all people of a group at once, and this is what that changed. Each person who has left was a direct
 * member, and each who has joined was none. A person who is not registered at this event does not join by it: the
 * person was deleted while it was decided.
 */
export interface GroupMembersReplaced {
  readonly type: "GroupMembersReplaced";
  readonly data: {
    readonly datasourceId: DatasourceId;
    readonly groupId: GroupId;
    /** Nobody is in both. */
    readonly joined: readonly Email[];
    readonly left: readonly Email[];
  };
}

/**
 * Stream `groupMembers-{datasourceId}`. What a person's own stream says of the same membership counts in log order
 * with it.
 */
export type GroupMembersEvent = GroupMembersReplaced;

export const groupMembersEventTypes: Readonly<Record<GroupMembersEvent["type"], true>> = {
  GroupMembersReplaced: true,
};
