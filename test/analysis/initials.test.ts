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
            if (surface !== null)
              expect(initialsOf([surface.word.termIn(language)])(text, start), text.slice(start, end)).to.equal(true);
          }
        });
      }),
      propertyRuns(1_000),
    );
  });

  it("never deny a word of letters, however it is stemmed", () => {
    const letters = fc.string({ unit: fc.constantFrom(..."aeiouyhdgnstl"), minLength: 1, maxLength: 4 });
    const endings = fc.constantFrom(
      "",
      "s",
      "ies",
      "ied",
      "ed",
      "eed",
      "ing",
      "ying",
      "ingly",
      "y",
      "en",
      "er",
      "ern",
      "est",
      "isch",
      "keit",
    );
    fc.assert(
      fc.property(letters, endings, fc.boolean(), (start, ending, isUpper) => {
        const token = isUpper ? (start + ending).toUpperCase() : start + ending;
        for (const term of surfaceOf(token)?.word.terms() ?? [])
          expect(initialsOf([term])(token, 0), `${token} ${term}`).to.equal(true);
      }),
      propertyRuns(5_000),
    );
  });

  it("never deny an irregular form, by the terms of its base", () => {
    const forms = [
      ["getragen", "tragen"],
      ["Gegriffen", "greifen"],
      ["gab", "geben"],
      ["ließ", "lassen"],
      ["Photo", "Foto"],
      ["phF", "ff"],
      ["Fphon", "Ffon"],
      ["brought", "bring"],
      ["ATE", "eat"],
      ["bought", "buy"],
      ["feet", "foot"],
    ] as const;
    for (const [form, base] of forms) {
      const terms = surfaceOf(base)?.word.terms() ?? [];
      expect(
        surfaceOf(form)
          ?.word.terms()
          .some((term) => terms.includes(term)),
        form,
      ).to.equal(true);
      expect(initialsOf(terms)(form, 0), form).to.equal(true);
    }
  });

  it("deny tokens that begin with other letters", () => {
    const mayBegin = initialsOf(["dhaus", "x2024"]);
    expect(["Haus", "hat", "2024", "äpfel", "häuser"].map((token) => mayBegin(token, 0))).to.deep.equal([
      true,
      true,
      true,
      true,
      true,
    ]);
    expect(["Maus", "Hut", "1024", "2124", "zu"].map((token) => mayBegin(token, 0))).to.deep.equal([
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});
