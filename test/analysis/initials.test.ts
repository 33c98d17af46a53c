import { expect } from "chai";
import * as fc from "fast-check";
import { initialsOf } from "../../src/analysis/initials.js";
import { forEachToken } from "../../src/analysis/tokens.js";
import { surfaceOf } from "../../src/analysis/words.js";
import { propertyRuns } from "../support/propertyRuns.js";
import { anyText } from "./texts.js";

describe("initials", () => {
  it("never deny a token that becomes one of the terms", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        forEachToken(text, 0, text.length, (start, end) => {
          const surface = surfaceOf(text.slice(start, end));
          for (const language of ["de", "en", null] as const) {
            if (surface !== null) expect(initialsOf([surface.word.termIn(language)])(text, start), text.slice(start, end)).to.equal(true);
          }
        });
      }),
      propertyRuns(1_000),
    );
  });

  it("deny tokens that begin with another letter", () => {
    const mayBegin = initialsOf(["dhaus", "x2024"]);
    expect(["Haus", "hut", "2024", "äpfel"].map((token) => mayBegin(token, 0))).to.deep.equal([true, true, true, true]);
    expect(["Maus", "1024", "zu"].map((token) => mayBegin(token, 0))).to.deep.equal([false, false, false]);
  });
});
