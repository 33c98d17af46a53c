import type { DatasourceId, Email, GroupId } from "../shared/ids.js";

/**
 * Which people belong to a group was told whole, and this is what it changed: everybody at once. Whoever has left was
 * a direct member, whoever has joined was none. A person who is not registered at this event does not join by it: the
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
