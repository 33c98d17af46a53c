import type { DatasourceId, Email } from "../shared/ids.js";
import { membershipEventTypes, type MembershipEvent } from "./membership.js";

export interface UserRegistered {
  readonly type: "UserRegistered";
  readonly data: { readonly datasourceId: DatasourceId; readonly email: Email; readonly name: string | null };
}

interface UserRenamed {
  readonly type: "UserRenamed";
  readonly data: { readonly datasourceId: DatasourceId; readonly email: Email; readonly name: string };
}

/**
 * Ends the registration; the memberships have ended by events of their own before it, and any that is left, by a race
 * with a replacement of members, ends by this one. Documents keep naming the person, and count again for a person who
 * is registered with this email later.
 */
export interface UserDeleted {
  readonly type: "UserDeleted";
  readonly data: { readonly datasourceId: DatasourceId; readonly email: Email };
}

/** Stream `user-{datasourceId}:{email}`: one person's whole permission history on a datasource. */
export type UserEvent = UserRegistered | UserRenamed | UserDeleted | MembershipEvent;

export const userEventTypes: Readonly<Record<UserEvent["type"], true>> = {
  ...membershipEventTypes,
  UserRegistered: true,
  UserRenamed: true,
  UserDeleted: true,
};
