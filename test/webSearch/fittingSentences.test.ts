import { expect } from "chai";
import { fittingSentences } from "../../src/webSearch/createWebSearch.js";

const filler = (characters: number): string => "Nothing of interest stands in this sentence. ".repeat(characters / 45);

describe("sentences that fit a query", () => {
  it("come from the beginnings of all sources, so that long ones hold nobody up", async () => {
    const answer = "The zebra runs over the wide field every day. ";
    const sources = Array.from({ length: 20 }, () => filler(2_000));
    expect(await fittingSentences("zebra", [...sources, answer + filler(200_000)])).to.equal(answer.trim());
    expect(await fittingSentences("zebra", [filler(100_000) + answer])).not.to.contain("zebra");
  });
});
