import { expect } from "chai";
import { projectByType } from "../../projections/projectByType.js";
import type { RecordedEvent } from "../../src/events/domainEvent.js";
import type { UserEvent } from "../../src/events/user.js";

const recorded = (type: string): RecordedEvent => ({ event: { type, data: {} } }) as RecordedEvent;

describe("projectByType", () => {
  const project = projectByType<UserEvent, string>(
    {
      UserRegistered: () => "registered",
      UserDeleted: () => "deleted",
      UserRenamed: () => "renamed",
      MembershipAdded: () => "joined",
      MembershipRemoved: () => "left",
    },
    "nothing",
  );

  it("answers each event of its own by its type", () => {
    expect(["UserRenamed", "MembershipRemoved"].map((type) => project(recorded(type)))).to.deep.equal([
      "renamed",
      "left",
    ]);
  });

  it("has nothing to say of other events in the same streams", () => {
    expect(project(recorded("GroupCreated"))).to.equal("nothing");
  });

  it("does not compile while an event of its own is not answered for", () => {
    const answers = { UserRegistered: () => null, UserRenamed: () => null, MembershipAdded: () => null };
    // @ts-expect-error MembershipRemoved is missing.
    projectByType<UserEvent, null>(answers, null);
  });
});
