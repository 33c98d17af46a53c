import { expect } from "chai";
import { toEmail, toGroupName } from "../../src/shared/ids.js";

/** Ways of writing that look alike or mean the same. */
const alike: readonly (readonly [string, string])[] = [
  ["\u212aim", "Kim"],
  ["\uff53\uff54\uff41\uff46\uff46", "staff"],
  ["o\ufb03ce", "office"],
  ["Gro\u0308\u00dfe", "Gr\u00f6\u00dfe"],
  ["st\u200baff", "staff"],
  ["st\u00adaff\u200d\ufe0f", "staff"],
  ["a\u200b\u0308", "\u00e4"],
];

describe("names of people and groups", () => {
  it("are one however they are written: NFKC, without what nobody sees", () => {
    for (const [written, name] of alike) {
      expect(toGroupName(written), JSON.stringify(written)).to.equal(name);
      expect(toEmail(` ${written}@Example.org`)).to.equal(`${name.toLowerCase()}@example.org`);
    }
  });

  it("stay as they are once they are folded", () => {
    for (const text of [...alike.flat(), "\u0130", "\u1e9e", "\u00b5", "a\ufeffb", "\u037a"]) {
      expect(toGroupName(toGroupName(text))).to.equal(toGroupName(text));
      expect(toEmail(toEmail(text)), JSON.stringify(text)).to.equal(toEmail(text));
    }
  });

  it("keep letters of different scripts and the case of groups apart", () => {
    expect(toGroupName("st\u0430ff")).not.to.equal("staff");
    expect(toGroupName("Staff")).not.to.equal("staff");
    expect(toGroupName("a\ufeff")).to.equal("a\ufeff");
    expect([toGroupName("\u200b"), toEmail(" \u200b")]).to.deep.equal(["", ""]);
  });
});
