import { expect } from "chai";
import { fileName } from "../../../src/api/documentIntake.js";

describe("the name of a document's file", () => {
  const cases: readonly (readonly [string | undefined, string | undefined, string])[] = [
    ["https://x.example.org/docs/Travel%20expenses.pdf?version=2#page=3", "HR > other.docx", "Travel expenses.pdf"],
    ["https://x.example.org/docs/42", "HR > Travel > expenses.docx", "expenses.docx"],
    [undefined, "\\\\server\\share\\Übersicht.xlsx", "Übersicht.xlsx"],
    ["https://x.example.org/a%E4.pdf", undefined, "a%E4.pdf"],
    ["https://x.example.org/docs/", "HR / Travel", "d-1.bin"],
    [undefined, undefined, "d-1.bin"],
  ];
  for (const [pathPreview, path, name] of cases)
    it(`is ${name} of ${pathPreview ?? "no address"} and ${path ?? "no path"}`, () => {
      expect(
        fileName({
          id: "d-1.bin",
          ...(pathPreview !== undefined && { path_preview: pathPreview }),
          ...(path !== undefined && { path }),
        }),
      ).to.equal(name);
    });
});
