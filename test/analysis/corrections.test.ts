import { expect } from "chai";
import { convincingCorrections } from "../../src/analysis/corrections.js";

const near = (word: string, distance: number, documents: number) => ({ word, distance, documents });
const chosen = (candidates: readonly ReturnType<typeof near>[], documents: number): readonly string[] =>
  convincingCorrections(candidates, documents).map(({ word }) => word);

describe("corrections of a rare word", () => {
  it("of one that no document holds are all that any document holds, the nearest and then the most frequent first", () => {
    expect(
      chosen([near("far", 2, 90), near("rare", 1, 1), near("frequent", 1, 9), near("unseen", 1, 0)], 0),
    ).to.deep.equal(["frequent", "rare", "far"]);
  });

  it("of one that some documents hold are those that far more do", () => {
    expect(chosen([near("as-rare", 1, 2), near("more", 1, 39), near("far-more", 1, 40)], 2)).to.deep.equal([
      "far-more",
    ]);
  });

  it("are three at most, and worth less the further they are", () => {
    const candidates = [near("a", 1, 5), near("b", 1, 4), near("c", 2, 3), near("d", 2, 2)];
    expect(convincingCorrections(candidates, 0).map(({ word, worth }) => [word, worth])).to.deep.equal([
      ["a", 0.6],
      ["b", 0.6],
      ["c", 0.4],
    ]);
  });
});
