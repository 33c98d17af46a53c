import { expect } from "chai";
import { canBeContinued, likeliestCompletions, mostCompletions } from "../../src/analysis/completions.js";

describe("completions of a word that is being typed", () => {
  it("are asked for from the second letter on, in scripts without spaces from the first character on", () => {
    expect(["", "a", "7", "ab", "漢"].map(canBeContinued)).to.deep.equal([false, false, false, true, true]);
  });

  it("are the shortest words that begin with it, without the word itself", () => {
    expect(likeliestCompletions("tra", ["trailing", "tra", "trail", "other", "train"])).to.deep.equal([
      "trail",
      "train",
      "trailing",
    ]);
  });

  it("are bounded", () => {
    expect(
      likeliestCompletions(
        "w",
        Array.from({ length: 100 }, (_word, number) => `w${number}`),
      ),
    ).to.have.lengthOf(mostCompletions);
  });
});
