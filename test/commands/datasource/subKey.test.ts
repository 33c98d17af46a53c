import { expect } from "chai";
import * as fc from "fast-check";
import { deriveSubKey } from "../../../commands/datasource/subTree.js";
import { propertyRuns } from "../../support/propertyRuns.js";

const slug = /^[a-z][a-z0-9]*(_[a-z][a-z0-9]*)*$/;

describe("a sub's key", () => {
  it("is derived from its name", () => {
    const keys = {
      Guides: "guides",
      "Human Resources": "human_resources",
      "  R & D -- (internal)  ": "r_d_internal",
      "Straße / Größe": "strasse_groesse",
      "ÄÖÜ äöü ẞ": "aeoeue_aeoeue_ss",
      "A\u0308pfel": "aepfel",
      "Café Señor Łódź": "cafe_senor_lodz",
      snake_case__name: "snake_case_name",
      "Phase 2": "phase2",
      "Q1 2024 Plan": "q12024_plan",
      ﬁle: "file",
    };
    expect(Object.fromEntries(Object.keys(keys).map((name) => [name, deriveSubKey(name)]))).to.deep.equal(keys);
  });

  it("has to be chosen where the name gives none", () => {
    for (const name of ["", "  ", "!?", "2024", "2nd floor", "文書", "a".repeat(65)])
      expect(deriveSubKey(name), name).to.equal(null);
  });

  it("is a slug, whatever the name", () => {
    const name = fc.oneof(fc.string({ unit: "binary" }), fc.stringMatching(/^[A-Za-z0-9 äöüß_.-]{0,80}$/));
    fc.assert(
      fc.property(name, (text) => {
        const key = deriveSubKey(text);
        expect(key === null || (slug.test(key) && key.length <= 64)).to.equal(true);
      }),
      propertyRuns(500),
    );
  });

  it("stays itself where it is a slug already", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z][a-z0-9]{0,9}(_[a-z][a-z0-9]{0,9}){0,3}$/), (key) => {
        expect(deriveSubKey(key)).to.equal(key);
      }),
      propertyRuns(300),
    );
  });
});
