import { expect } from "chai";
import { joinBrokenWords } from "../../../../src/adapters/extraction/readers/hyphenation.js";

const joins = (lines: readonly string[], text: string): void => {
  expect(joinBrokenWords(lines.join("\n"))).to.equal(text);
};

describe("joinBrokenWords", () => {
  it("makes one word of what was broken at the end of a line", () => {
    joins(["eine Ver-", "öffentlichung"], "eine Veröffentlichung");
    joins(["a pub\u00ad", "lication"], "a publication");
    joins(["a pub\u2010", "lication"], "a publication");
    joins(["Donau-", "dampf-", "schiff"], "Donaudampfschiff");
  });

  it("leaves hyphens that belong to the word", () => {
    joins(["die Nord-", "Süd-Achse"], "die Nord-Süd-Achse");
    joins(["USB-", "HDD"], "USB-HDD");
    joins(["a state-of-the-", "art engine"], "a state-of-the-art engine");
  });

  it("looks whether the text writes the word with a hyphen elsewhere", () => {
    joins(["well-", "known", "is well-known"], "well-known\nis well-known");
    joins(["VERÖF-", "FENTLICHT", "VERÖFFENTLICHT"], "VERÖFFENTLICHT\nVERÖFFENTLICHT");
  });

  it("leaves the parts of a list apart", () => {
    joins(["Vor-", "und Nachteile"], "Vor- und Nachteile");
    joins(["pre-", "and post-war"], "pre- and post-war");
  });

  it("leaves dashes and numbers alone", () => {
    joins(["so –", "oder so"], "so –\noder so");
    joins(["2024-", "2025"], "2024-\n2025");
    joins(["- eins", "- zwei"], "- eins\n- zwei");
  });

  it("leaves out soft hyphens within a line", () => {
    joins(["Do\u00adnau"], "Donau");
  });

  it("takes long lines without spaces", () => {
    const long = "a".repeat(1_000_000);
    joins([`${long}-`, long], long + long);
  });
});
