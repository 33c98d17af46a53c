import type { DatasourceId, Email, GroupId } from "../shared/ids.js";

/** Who belongs to a group: a person, or another group with all of its members. */
export type Member =
  { readonly kind: "user"; readonly email: Email } | { readonly kind: "group"; readonly groupId: GroupId };

interface MembershipFact {
  readonly datasourceId: DatasourceId;
  /** The group that is joined. */
  readonly groupId: GroupId;
  readonly member: Member;
}

/** In the group graph's stream for nested groups, in the person's stream for people. */
export interface MembershipAdded {
  readonly type: "MembershipAdded";
  readonly data: MembershipFact;
}

export interface MembershipRemoved {
  readonly type: "MembershipRemoved";
  readonly data: MembershipFact;
}

export type MembershipEvent = MembershipAdded | MembershipRemoved;
