import { expect } from "chai";
import * as fc from "fast-check";
import { foldDigraphs, foldWord } from "../../src/analysis/folding.js";
import { propertyRuns } from "../support/propertyRuns.js";
import { anyText } from "./texts.js";

describe("folding", () => {
  it("is idempotent", () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.string({ unit: "binary" })), (text) => {
        const folded = foldWord(text);
        expect(foldWord(folded)).to.equal(folded);
        expect(foldDigraphs(foldDigraphs(folded))).to.equal(foldDigraphs(folded));
      }),
      propertyRuns(500),
    );
  });

  it("is idempotent for every character there is", () => {
    const unstable: string[] = [];
    for (let code = 0; code <= 0x10ffff; code += 1) {
      const folded = foldWord(String.fromCodePoint(code));
      if (foldWord(folded) !== folded) unstable.push(code.toString(16));
    }
    expect(unstable).to.deep.equal([]);
  });

  it("takes case, accents and compatibility forms off", () => {
    expect(
      ["ÉTÉ", "STRASSE", "Straße", "ﬁn", "Łódź", "smørrebrød", "Ёлка", "İstanbul", "co\u00adoperate"].map(foldWord),
    ).to.deep.equal(["ete", "strasse", "strasse", "fin", "lodz", "smorrebrod", "елка", "istanbul", "cooperate"]);
  });

  it("leaves the vowel signs and voicing of other scripts", () => {
    expect(["हिन्दी", "が", "한국어"].map(foldWord)).to.deep.equal(["हिन्दी", "が", "한국어"]);
  });

  it("brings written-out umlauts to the same form, but not what only looks like one", () => {
    expect(["mueller", "koeln", "vertraege", "neue", "feuer", "quelle"].map(foldDigraphs)).to.deep.equal([
      "muller",
      "koln",
      "vertrage",
      "neue",
      "feuer",
      "quelle",
    ]);
  });
});
