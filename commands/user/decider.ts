import { match } from "ts-pattern";
import type { MembershipEvent } from "../../src/events/membership.js";
import type { UserEvent } from "../../src/events/user.js";
import type { DatasourceId, DatasourceName, Email, GroupId } from "../../src/shared/ids.js";
import type { Position } from "../../src/shared/position.js";
import { failed, ok } from "../../src/shared/result.js";
import { belongsTo, groupsOf, type ToldMembership, type ToldMemberships } from "../groupMembers/members.js";
import { membershipsPerDeletion, type Aggregate, type Decision } from "../aggregate.js";

/**
 * A person on one datasource, as the person's own stream has it; null before the registration. Evolves in place: its
 * only owner is the fold.
 */
export type UserState = {
  name: string | null;
  readonly registeredAt: Position;
  /** Memberships that began or ended since. */
  readonly own: Map<GroupId, ToldMembership>;
} | null;

interface OfUser {
  readonly datasourceId: DatasourceId;
  readonly datasource: DatasourceName;
  readonly email: Email;
}

/** What replacements of groups' members tell of the person, besides the person's own stream. */
type WithReplaced = OfUser & { readonly replaced: ToldMemberships };

/** `group` is the group's name, for the answer. */
type OfMembership = WithReplaced & { readonly groupId: GroupId; readonly group: string };

export type RegistrationCommand =
  | (OfUser & { readonly type: "RegisterUser"; readonly name: string | null })
  | (OfUser & { readonly type: "RenameUser"; readonly name: string });

export type UserCommand =
  | RegistrationCommand
  | (WithReplaced & { readonly type: "DeleteUser" })
  | (OfMembership & { readonly type: "AddMembership" })
  | (OfMembership & { readonly type: "RemoveMembership" });

export const initialState = (): UserState => null;

/** Changes the state it is given, and returns it. */
export function evolve(state: UserState, event: UserEvent, position: Position): UserState {
  return match(event)
    .returnType<UserState>()
    .with({ type: "MembershipAdded" }, ({ data }) => {
      state?.own.set(data.groupId, { isMember: true, at: position });
      return state;
    })
    .with({ type: "MembershipRemoved" }, ({ data }) => {
      state?.own.set(data.groupId, { isMember: false, at: position });
      return state;
    })
    .with({ type: "UserRegistered" }, ({ data }) => ({
      name: data.name,
      registeredAt: position,
      own: new Map(),
    }))
    .with({ type: "UserRenamed" }, ({ data }) => {
      if (state !== null) state.name = data.name;
      return state;
    })
    .with({ type: "UserDeleted" }, () => null)
    .exhaustive();
}

/**
 * Events that take access away come first in the log: memberships end before the registration does, each by an event of
 * its own. Where one append cannot take all of them, some end, and the command is given again.
 */
function deleteUser(user: OfUser, groups: readonly GroupId[]): readonly UserEvent[] {
  const { datasourceId, email } = user;
  const ended = groups
    .slice(0, membershipsPerDeletion)
    .map((groupId) => membershipEvent("MembershipRemoved", user, groupId));
  return ended.length < groups.length ? ended : [...ended, { type: "UserDeleted", data: { datasourceId, email } }];
}

/** Only registered people can be renamed or be members (spec: Users, groups, memberships). */
export function decide(command: UserCommand, state: UserState): Decision<UserEvent> {
  const { type, datasourceId, datasource, email } = command;
  if (type === "RegisterUser") {
    if (state !== null) return failed({ type: "UserExists", datasource, email });
    return ok([{ type: "UserRegistered", data: { datasourceId, email, name: command.name } }]);
  }
  if (state === null) return failed({ type: "UserNotFound", datasource, email });
  return match(command)
    .returnType<Decision<UserEvent>>()
    .with({ type: "RenameUser" }, ({ name }) =>
      ok(name === state.name ? [] : [{ type: "UserRenamed", data: { datasourceId, email, name } }]),
    )
    .with({ type: "DeleteUser" }, (deletion) => ok(deleteUser(deletion, groupsOf({ ...state, ...deletion }))))
    .with({ type: "AddMembership" }, ({ groupId, group, replaced }) => {
      if (belongsTo({ ...state, replaced }, groupId)) return failed({ type: "MembershipExists", group, member: email });
      return ok([membershipEvent("MembershipAdded", command, groupId)]);
    })
    .with({ type: "RemoveMembership" }, ({ groupId, group, replaced }) => {
      if (!belongsTo({ ...state, replaced }, groupId))
        return failed({ type: "MembershipNotFound", group, member: email });
      return ok([membershipEvent("MembershipRemoved", command, groupId)]);
    })
    .exhaustive();
}

const membershipEvent = (
  type: MembershipEvent["type"],
  { datasourceId, email }: OfUser,
  groupId: GroupId,
): MembershipEvent => ({
  type,
  data: { datasourceId, groupId, member: { kind: "user", email } },
});

export const userAggregate: Aggregate<UserState, UserEvent> = {
  initialState,
  evolve,
  cacheCost: (state) => 5 + (state?.own.size ?? 0),
};
