import { expect } from "chai";
import { counted } from "../../src/shared/texts.js";

describe("a count with its noun", () => {
  it("has the noun in its number, and thousands that can be read", () => {
    expect([0, 1, 2, 12_000].map((count) => counted(count, "event"))).to.deep.equal([
      ...["0 events", "1 event", "2 events", "12,000 events"],
    ]);
    expect([1, 3].map((count) => counted(count, "person", "people"))).to.deep.equal(["1 person", "3 people"]);
  });
});
