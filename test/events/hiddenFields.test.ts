import { expect } from "chai";
import { shownFields } from "../../src/events/eventTypes.js";
import { events } from "../support/examples.js";

describe("what is shown of events", () => {
  it("is everything but the hashes of secrets and passwords", () => {
    expect(shownFields(events.AccountPasswordSet.data)).to.deep.equal({ email: "alice@example.org" });
    expect(shownFields(events.AccountRoleGiven.data)).to.deep.equal(events.AccountRoleGiven.data);
    const hidden = Object.values(events).flatMap(({ data }) =>
      Object.keys(data).filter((field) => !(field in shownFields(data))),
    );
    expect(new Set(hidden)).to.deep.equal(new Set(["secretSha256", "passwordHash"]));
  });

  it("has no field left that sounds like one", () => {
    const shown = Object.values(events).flatMap(({ data }) => Object.keys(shownFields(data)));
    expect(shown.filter((field) => /secret|password|hash/i.test(field))).to.deep.equal([]);
  });
});
