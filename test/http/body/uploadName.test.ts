import { expect } from "chai";
import * as fc from "fast-check";
import { uploadNameOf } from "../../../src/http/body/uploadBody.js";
import { propertyRuns } from "../../support/propertyRuns.js";

describe("names of uploaded files", () => {
  for (const [given, name] of [
    ["plan.pdf", "plan.pdf"],
    ["C:\\Users\\ada\\plan.pdf", "plan.pdf"],
    ["../../etc/passwd", "passwd"],
    ["a\u0000b\r\n.txt", "ab.txt"],
    ["Gro\u0308ße.pdf", "Größe.pdf"],
    ["", "file"],
    ["folder/", "file"],
    ["..", "file"],
    ["x".repeat(255), "x".repeat(255)],
    ["x".repeat(256), null],
  ] as const)
    it(`${JSON.stringify(given.slice(0, 30))} becomes ${JSON.stringify(name?.slice(0, 30) ?? null)}`, () =>
      expect(uploadNameOf(given)).to.equal(name));

  it("are names and no paths, whatever was given", () =>
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (given) => {
        const name = uploadNameOf(given);
        if (name === null) return;
        expect(name).to.match(/^[^/\\\p{Cc}]+$/u);
        expect(uploadNameOf(name)).to.equal(name);
      }),
      propertyRuns(300),
    ));
});
