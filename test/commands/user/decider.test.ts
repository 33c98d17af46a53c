import { expect } from "chai";
import { membershipsPerDeletion } from "../../../commands/aggregate.js";
import { nothingTold } from "../../../commands/groupMembers/members.js";
import { decide, evolve, initialState, type UserCommand } from "../../../commands/user/decider.js";
import type { UserEvent } from "../../../src/events/user.js";
import { toGroupId } from "../../../src/shared/ids.js";
import { deciderScenarios, foldOf } from "../../support/givenWhenThen.js";
import { alice, datasourceId, engineersId, events, staffId, wiki } from "../../support/examples.js";

const given = deciderScenarios({ initialState, evolve, decide });
const person = { datasourceId, datasource: wiki, email: alice };
const register: UserCommand = { ...person, type: "RegisterUser", name: "Alice" };
const rename = (name: string): UserCommand => ({ ...person, type: "RenameUser", name });
const replaced = nothingTold;
const add: UserCommand = { ...person, type: "AddMembership", groupId: staffId, group: "staff", replaced };
const remove: UserCommand = { ...person, type: "RemoveMembership", groupId: staffId, group: "staff", replaced };
const deleteUser: UserCommand = { ...person, type: "DeleteUser", replaced };
const membership = (type: "MembershipAdded" | "MembershipRemoved", groupId = staffId): UserEvent => ({
  type,
  data: { datasourceId, groupId, member: { kind: "user", email: alice } },
});
const nobody = { type: "UserNotFound", datasource: "wiki", email: alice } as const;

describe("the decider of users", () => {
  it("RegisterUser registered, with a name or without", () => {
    given([]).when(register).then([events.UserRegistered]);
    given([])
      .when({ ...register, name: null } as UserCommand)
      .then([{ type: "UserRegistered", data: { datasourceId, email: alice, name: null } }]);
  });

  it("RegisterUser rejected: the email is registered", () => {
    given([events.UserRegistered])
      .when(register)
      .thenRejected({ type: "UserExists", datasource: "wiki", email: alice });
  });

  it("RenameUser renamed", () => {
    given([events.UserRegistered]).when(rename("Alice Liddell")).then([events.UserRenamed]);
  });

  it("RenameUser repeated: to the name that the person has", () => {
    given([events.UserRegistered]).when(rename("Alice")).thenNothing();
    given([events.UserRegistered, events.UserRenamed]).when(rename("Alice Liddell")).thenNothing();
  });

  it("RenameUser rejected: no such user", () => {
    given([]).when(rename("Alice")).thenRejected(nobody);
  });

  it("DeleteUser deleted: the memberships end first", () => {
    given([events.UserRegistered, membership("MembershipAdded"), membership("MembershipAdded", engineersId)])
      .when(deleteUser)
      .then([membership("MembershipRemoved"), membership("MembershipRemoved", engineersId), events.UserDeleted]);
  });

  it("DeleteUser in steps: more memberships than one append can take", () => {
    const many = Array.from({ length: membershipsPerDeletion + 1 }, (_, index) =>
      membership("MembershipAdded", toGroupId(`g${index}`)),
    );
    const first = decide(deleteUser, foldOf({ initialState, evolve }, [events.UserRegistered, ...many]));
    expect(first.ok && first.value.map(({ type }) => type)).to.deep.equal(
      Array.from({ length: membershipsPerDeletion }, () => "MembershipRemoved"),
    );
  });

  it("DeleteUser rejected: no such user, or no longer; who comes back has no memberships", () => {
    given([]).when(deleteUser).thenRejected(nobody);
    given([events.UserRegistered, events.UserDeleted]).when(deleteUser).thenRejected(nobody);
    given([events.UserRegistered, membership("MembershipAdded"), events.UserDeleted, events.UserRegistered])
      .when(deleteUser)
      .then([events.UserDeleted]);
  });

  it("AddMembership added: to each group once", () => {
    given([events.UserRegistered, membership("MembershipAdded", engineersId)])
      .when(add)
      .then([membership("MembershipAdded")]);
    given([events.UserRegistered, membership("MembershipAdded"), membership("MembershipRemoved")])
      .when(add)
      .then([membership("MembershipAdded")]);
  });

  it("AddMembership rejected: the person is a member already", () => {
    given([events.UserRegistered, membership("MembershipAdded"), events.UserRenamed])
      .when(add)
      .thenRejected({ type: "MembershipExists", group: "staff", member: alice });
  });

  it("AddMembership rejected: no such user", () => {
    given([]).when(add).thenRejected(nobody);
  });

  it("RemoveMembership removed", () => {
    given([events.UserRegistered, membership("MembershipAdded")])
      .when(remove)
      .then([membership("MembershipRemoved")]);
  });

  it("RemoveMembership rejected: the person is no member, or no longer", () => {
    const gone = { type: "MembershipNotFound", group: "staff", member: alice } as const;
    given([events.UserRegistered, membership("MembershipAdded", engineersId)])
      .when(remove)
      .thenRejected(gone);
    given([events.UserRegistered, membership("MembershipAdded"), membership("MembershipRemoved")])
      .when(remove)
      .thenRejected(gone);
  });

  it("RemoveMembership rejected: no such user", () => {
    given([]).when(remove).thenRejected(nobody);
  });
});
