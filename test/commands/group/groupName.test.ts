import { expect } from "chai";
import { refuseGroupName } from "../../../commands/group/groupName.js";

const isRefused = (name: string): boolean => refuseGroupName(name, "Amber")?.type === "GroupNameInvalid";

describe("a group's name", () => {
  it("holds no whitespace, of any kind", () => {
    for (const name of [
      "a b",
      " a",
      "a ",
      "a\tb",
      "a\nb",
      "a\u00a0b",
      "a\u3000b",
      "a\u2009b",
      "a\u0085b",
      "a\u001cb",
      "\u2028a",
      "a\ufeff",
    ])
      expect(isRefused(name), JSON.stringify(name)).to.equal(true);
  });

  it("is not empty, which names of invisible characters come to", () => {
    expect(isRefused("")).to.equal(true);
  });

  it("does not begin with the product's name, in any case", () => {
    for (const name of ["amber", "AMBER-admins", "Amber_x", "ambers"]) expect(isRefused(name), name).to.equal(true);
  });

  it("is free otherwise", () => {
    for (const name of ["staff", "my-amber", "ambe", "Größe/Team#1", "文書", "@team", "a.b.c"])
      expect(isRefused(name), name).to.equal(false);
  });
});
