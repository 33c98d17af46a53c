import { expect } from "chai";
import { termPlacesOf, type ExaminedText } from "../../src/analysis/termPlaces.js";
import type { Language } from "../../src/shared/texts.js";

const placesOf = (terms: readonly string[], texts: readonly ExaminedText[], language: Language | null = "de") =>
  [...termPlacesOf(terms)(texts, language)].map(([term, { fields, written }]) => [term, [...fields], [...written]]);

describe("the places of terms in a document", () => {
  it("are the fields that hold them, with the forms that stand there", () => {
    const texts: readonly ExaminedText[] = [
      { field: "title", text: "Leuchttürme" },
      { field: "text", text: "Ein Leuchtturm, zwei Leuchttürme, kein Hafen." },
      { field: "author", text: "Hafen" },
    ];
    expect(placesOf(["dleuchtturm", "dhaf", "dboot"], texts)).to.deep.equal([
      ["dleuchtturm", ["title", "text"], ["Leuchttürme", "Leuchtturm"]],
      ["dhaf", ["text", "author"], ["Hafen"]],
    ]);
    expect(placesOf(["dleuchtturm"], texts, "en")).to.deep.equal([]);
  });

  it("are those of what is written as one of several words, too", () => {
    const texts: readonly ExaminedText[] = [{ field: "text", text: "Das Home-Office und foo_bar." }];
    expect(placesOf(["jhomeoffice", "jfoobar"], texts)).to.deep.equal([
      ["jhomeoffice", ["text"], ["Home-Office"]],
      ["jfoobar", ["text"], ["foo_bar"]],
    ]);
  });

  it("are looked for in the stretch that counts, and no further than 100,000 characters", () => {
    const text = `Hafen ${"x ".repeat(60_000)}Hafen`;
    const range = { start: 10, end: 200 };
    expect(placesOf(["dhaf"], [{ field: "text", text, range }])).to.deep.equal([]);
    expect(placesOf(["dhaf"], [{ field: "text", text: text.slice(6) }])).to.deep.equal([]);
    expect(placesOf(["dhaf"], [{ field: "text", text }])).to.deep.equal([["dhaf", ["text"], ["Hafen"]]]);
  });
});
