import type { DatasourceId, Email, GroupId } from "../shared/ids.js";

/** Who belongs to a group: a person, or another group with all of its members. */
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
