import { expect } from "chai";
import * as fc from "fast-check";
import { endingOf, headOf, middleKeyOf, middleOf, middlesOf, partsAround } from "../../src/analysis/compoundWords.js";
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
        expect(partsAround(compound, sought)).to.not.equal(null);
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
    expect(partsAround("verbrauchswert", "rauch")).to.deep.include({ known: "word" });
    expect(partsAround("eingeschlagenen", "schlagen")).to.equal(null);
    expect(partsAround("ausfuhrbeschrankungen", "schrank")).to.deep.include({ known: "word" });
    expect(partsAround("datensicherungskonzept", "sicherung")).to.deep.equal({
      parts: ["daten", "date", "dat"],
      known: null,
    });
    expect(partsAround("verwaltungsgebaude", "waltung")).to.equal(null);
  });

  it("have a word behind them where that is short", () => {
    expect(partsAround("landeskriminalamt", "kriminal")).to.deep.equal({ parts: ["amt"], known: "word" });
    expect(partsAround("rillenkugelamt", "kugel")).to.equal(null);
  });
});

describe("heads of compounds", () => {
  it("are cut alike by themselves and in compounds, whatever form these have", () => {
    const backwards = (word: string): string => [...word].toReversed().join("");
    const pairs = [
      ["zettel", "pickzetteln"],
      ["leiter", "abteilungsleiterinnen"],
      ["prufung", "abschlussprufungen"],
    ] as const;
    for (const [head, compound] of pairs) {
      const end = headOf(head);
      expect(end, head).to.not.equal(null);
      expect(endingOf(compound)?.startsWith(backwards(end ?? "")), compound).to.equal(true);
    }
  });
});
