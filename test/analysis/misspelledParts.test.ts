import { expect } from "chai";
import { partLookup, rankPartCorrections } from "../../src/analysis/misspelledParts.js";

describe("misspelled parts of compounds", () => {
  const compounds = [
    "kaputte",
    "feuerloscher",
    "feuerloschern",
    "brandschutzhelfer",
    "rufbereitschaftsplan",
    "ubernachtung",
  ];
  const meant = (word: string) => rankPartCorrections(word, compounds).map(({ word: to, distance }) => [to, distance]);

  it("are near to how compounds begin or end, and never the part itself", () => {
    expect(meant("loshcer")).to.deep.equal([
      ["feuerloscher", 1],
      ["feuerloschern", 1],
    ]);
    expect(meant("brandschuz")).to.deep.equal([["brandschutzhelfer", 1]]);
    expect(meant("rufberetschft")).to.deep.equal([["rufbereitschaftsplan", 2]]);
    expect(meant("loscher")).to.deep.equal([]);
  });

  it("are none of short words, of numbers and of what follows a prefix", () => {
    for (const word of ["losch", "12345678", "nahctung", "schutz", "futtern"])
      expect(meant(word), word).to.deep.equal([]);
    expect(partLookup("losch")).to.equal(null);
  });

  it("are looked up by some hundred beginnings and ends, however long they are", () => {
    const lookup = partLookup("rufbereitschaftsplanung");
    expect(lookup?.beginnings.length).to.be.within(500, 650);
    expect(lookup?.endings.length).to.be.within(500, 650);
    expect(partLookup("loshcer")?.beginnings).to.include("loscher");
  });
});
