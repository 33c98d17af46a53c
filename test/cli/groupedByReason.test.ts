import { expect } from "chai";
import { groupedByReason } from "../../src/cli/listing.js";

describe("what is grouped by reason", () => {
  it("tells each reason once, the most frequent first, and names some of what it is given for", () => {
    const entries = [
      { name: "old.bin", reason: "It is not text." },
      ...["a.txt", "b.txt", "c.txt"].map((name) => ({ name, reason: "It is empty." })),
    ];
    expect(groupedByReason(entries, 2)).to.deep.equal([
      "3 × It is empty.",
      "  a.txt",
      "  b.txt",
      "  … and 1 more (--json lists all)",
      "1 × It is not text.",
      "  old.bin",
    ]);
    expect(groupedByReason([], 2)).to.deep.equal([]);
  });
});
