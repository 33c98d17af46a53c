import type { DatasourceId, GroupId } from "../shared/ids.js";
import { membershipEventTypes, type MembershipEvent } from "./membership.js";

export interface GroupCreated {
  readonly type: "GroupCreated";
  readonly data: { readonly datasourceId: DatasourceId; readonly groupId: GroupId; readonly name: string };
}

/** Documents keep naming the old name until they are indexed again (spec: Visibility rules, 8). */
export interface GroupRenamed {
  readonly type: "GroupRenamed";
  readonly data: {
    readonly datasourceId: DatasourceId;
    readonly groupId: GroupId;
    readonly name: string;
    readonly previousName: string;
  };
}

/**
 * Ends the group and its name; its nestings have ended by events of their own before it. People's memberships in it
 * stay in their streams and count for nothing: no later group has its id. Documents keep naming the name, which counts
 * for whatever group bears it next.
 */
interface GroupDeleted {
  readonly type: "GroupDeleted";
  readonly data: { readonly datasourceId: DatasourceId; readonly groupId: GroupId; readonly name: string };
}

/**
 * Stream `groupGraph-{datasourceId}`. It is one stream, because unique names and freedom from cycles need one boundary.
 */
export type GroupGraphEvent = GroupCreated | GroupRenamed | GroupDeleted | MembershipEvent;

export const groupGraphEventTypes: Readonly<Record<GroupGraphEvent["type"], true>> = {
  ...membershipEventTypes,
  GroupCreated: true,
  GroupRenamed: true,
  GroupDeleted: true,
};
