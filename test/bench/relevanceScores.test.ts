import { expect } from "chai";
import { meanScores, scoreResults } from "../../bench/relevanceAnswers.js";

describe("relevance scores", () => {
  const gains = new Map([
    ["a", 1],
    ["b", 3],
  ]);

  it("take the rank of the first answer, and the best order as the measure of the others", () => {
    expect(scoreResults(["b", "a"], gains)).to.deep.equal({ reciprocalRank: 1, discountedGain: 1, recall: 1 });
    expect(scoreResults(["x", "a"], gains)).to.deep.equal({
      reciprocalRank: 0.5,
      discountedGain: 1 / Math.log2(3) / (3 + 1 / Math.log2(3)),
      recall: 0.5,
    });
    expect(scoreResults([], gains)).to.deep.equal({ reciprocalRank: 0, discountedGain: 0, recall: 0 });
  });

  it("end with the tenth result", () => {
    const results = [...Array.from({ length: 10 }, (_unused, at) => `x${at}`), "b"];
    expect(scoreResults(results, gains).reciprocalRank).to.equal(0);
  });

  it("are averaged over the questions", () => {
    expect(meanScores([scoreResults(["b"], gains), scoreResults([], gains)]).reciprocalRank).to.equal(0.5);
  });
});
