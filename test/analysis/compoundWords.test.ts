import { expect } from "chai";
import * as fc from "fast-check";
import { middleKeyOf, middleOf, middlesOf, modifiersAround } from "../../src/analysis/compoundWords.js";
import { propertyRuns } from "../support/propertyRuns.js";

const parts =
  "daten kranken umsatz wellen brand eingang dichtung versicherung steuer wasser wirtschaft abschluss konzept";
const part = fc.constantFrom(...parts.split(" "));

describe("parts in the middle of words", () => {
  it("are looked up by what is kept of the words that hold them", () => {
    fc.assert(
      fc.property(part, part, part, (first, middle, last) => {
        const compound = first + middle + last;
        const sought = middleOf(middle) ?? "";
        const kept = middlesOf(compound);
        expect(kept.some((each) => each.startsWith(middleKeyOf(sought)))).to.equal(compound.length <= 40);
        expect(modifiersAround(compound, sought)).to.not.equal(null);
      }),
      propertyRuns(500),
    );
  });

  it("are few and of eight letters, whatever the word is", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."abeinrst0ü"), maxLength: 70 }), (word) => {
        const kept = middlesOf(word);
        expect(kept.length).to.be.at.most(29);
        for (const each of kept) expect(each).to.match(/^[a-z]{8}$/);
      }),
      propertyRuns(500),
    );
  });

  it("are no stop words, no short words, and lose their plural", () => {
    expect(middleOf("unter")).to.equal(null);
    expect(middleOf("igel")).to.equal(null);
    expect(middleOf("dichtungen")).to.equal("dichtung");
    expect(middleOf("kosten")).to.equal("kosten");
  });

  it("have a word before them where they are short, or where that ends as verbs begin", () => {
    expect(modifiersAround("verbrauchswert", "rauch")).to.deep.include({ known: "word" });
    expect(modifiersAround("eingeschlagenen", "schlagen")).to.equal(null);
    expect(modifiersAround("ausfuhrbeschrankungen", "schrank")).to.deep.include({ known: "word" });
    expect(modifiersAround("datensicherungskonzept", "sicherung")).to.deep.equal({
      modifiers: ["daten", "date", "dat"],
      known: null,
    });
    expect(modifiersAround("verwaltungsgebaude", "waltung")).to.equal(null);
  });
});
