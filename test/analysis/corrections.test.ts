import { expect } from "chai";
import { convincingCorrections } from "../../src/analysis/corrections.js";

const near = (word: string, distance: number, documents: number) => ({ word, distance, documents });
const chosen = (candidates: readonly ReturnType<typeof near>[]): readonly string[] =>
  convincingCorrections(candidates).map(({ word }) => word);

describe("corrections of a word that no document holds", () => {
  it("are all that any document holds, the nearest and then the most frequent first", () => {
    expect(
      chosen([near("far", 2, 90), near("rare", 1, 1), near("frequent", 1, 9), near("unseen", 1, 0)]),
    ).to.deep.equal(["frequent", "rare", "far"]);
  });

  it("are three at most, and worth less the further they are", () => {
    const candidates = [near("a", 1, 5), near("b", 1, 4), near("c", 2, 3), near("d", 2, 2)];
    expect(convincingCorrections(candidates).map(({ word, worth }) => [word, worth])).to.deep.equal([
      ["a", 0.9],
      ["b", 0.9],
      ["c", 0.7],
    ]);
  });
});
