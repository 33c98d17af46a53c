import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import {
  everydayFolders,
  everydayLanguages,
  readEverydayCollection,
} from "../../../bench/everyday/everydayCollection.js";

for (const [organisation, fewest] of [
  ["company", 300],
  ["campus", 200],
] as const)
  describe(`the large everyday collection of the ${organisation}`, () => {
    const { documents, queries } = readEverydayCollection(everydayFolders[organisation]);

    it("holds documents of both languages, two hundred queries, half of each, twelve of a kind", () => {
      const kinds = new Map<string, number>();
      for (const { kind } of queries) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      expect(documents.length).to.be.within(fewest, 500);
      expect(queries.length).to.be.at.least(200);
      for (const inBoth of [documents, queries])
        for (const language of everydayLanguages)
          expect(inBoth.filter((one) => one.language === language).length / inBoth.length).to.be.within(0.45, 0.55);
      expect([...kinds].filter(([, count]) => count < 12)).to.deep.equal([]);
    });
  });

describe("the everyday collection of the campus", () => {
  it("holds eight documents that are long", () => {
    const { documents } = readEverydayCollection(everydayFolders.campus);
    expect(documents.filter(({ text }) => text.split(/\s+/).length > 250).length).to.equal(8);
  });
});

for (const [organisation, folder] of Object.entries(everydayFolders))
  describe(`the everyday collection of the ${organisation}`, () => {
    it("gives documents the values that the API takes", () => {
      for (const { id, title, text, author, lastModified, path } of readEverydayCollection(folder).documents) {
        expect(id).to.match(/^[a-z0-9-]+$/);
        expect(lastModified, id).to.match(/^20\d\d-\d\d-\d\d$/);
        for (const value of [title, text, author, path]) expect(value, id).to.be.a("string").that.is.not.empty;
      }
    });
  });

describe("a collection of everyday queries", () => {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "everyday-"));
    mkdirSync(join(folder, "documents"));
    writeDocuments("de", ["brief", "rechnung"]);
    writeDocuments("en", ["letter"]);
    writeQueries("de", []);
    writeQueries("en", []);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const writeDocuments = (language: string, ids: readonly string[]): void => {
    const documents = ids.map((id) => ({ id, title: "T", author: "A", date: "2025-01-01", text: "t", file: "a.pdf" }));
    writeFileSync(
      join(folder, "documents", `${language}.yaml`),
      JSON.stringify({ language, type: "file", folder: "Post", documents }),
    );
  };
  const writeQueries = (language: string, entries: readonly object[]): void =>
    writeFileSync(join(folder, `queries.${language}.yaml`), JSON.stringify({ title: entries }));

  it("is read with the kind, the documents and the rank of each query", () => {
    writeQueries("de", [{ query: "Brief", findsAll: ["brief", "rechnung"], rank: 2, mustNotFind: ["letter"] }]);
    writeQueries("en", [{ query: "x", findsNothing: true }]);
    const { documents, queries } = readEverydayCollection(folder);
    expect(documents[0]).to.include({ id: "brief", language: "de", fileType: "file", path: "Post/a.pdf" });
    expect(queries).to.deep.equal([
      {
        language: "de",
        kind: "title",
        text: "Brief",
        expected: { is: "all", documents: ["brief", "rechnung"], rank: 2 },
        mustNotFind: ["letter"],
      },
      { language: "en", kind: "title", text: "x", expected: { is: "nothing" }, mustNotFind: [] },
    ]);
  });

  const faults: readonly (readonly [string, object, string])[] = [
    ["a document that does not exist", { query: "q", finds: ["brif"], rank: 1 }, "brif, which does not exist"],
    ["one that must not be found and does not exist", { ...found("brief"), mustNotFind: ["x"] }, "does not exist"],
    ["documents of the other language alone", { query: "q", finds: ["letter"], rank: 1 }, "its own language"],
    ["no rank", { query: "q", finds: ["brief"] }, "needs a rank"],
    ["a rank that so many cannot reach", { query: "q", findsAll: ["brief", "rechnung"], rank: 1 }, "needs a rank"],
    ["two expectations", { ...found("brief"), findsNothing: true }, "needs one of"],
    ["no expectation", { query: "q" }, "needs one of"],
    ["no document", { query: "q", finds: [], rank: 1 }, "names no document"],
  ];
  for (const [fault, entry, message] of faults)
    it(`is refused where a query has ${fault}`, () => {
      writeQueries("de", [entry]);
      expect(() => readEverydayCollection(folder)).to.throw(message);
    });

  it("is refused where a query or the id of a document stands twice", () => {
    writeQueries("de", [found("brief"), found("rechnung")]);
    expect(() => readEverydayCollection(folder)).to.throw("stands twice");
    writeQueries("de", []);
    writeDocuments("en", ["brief"]);
    expect(() => readEverydayCollection(folder)).to.throw("Two documents have the id brief");
  });
});

function found(id: string): object {
  return { query: "q", finds: [id], rank: 1 };
}
