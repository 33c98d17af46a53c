import { expect } from "chai";
import { searchedNames, type NamedDocument } from "../../../projections/search/searchedNames.js";

const names = (document: Partial<NamedDocument>): readonly string[] =>
  searchedNames({ author: null, path: null, pathPreview: null, ...document });

describe("the names by which a document is searched", () => {
  it("are its author and the end of its path, each once", () => {
    expect(names({ author: "Ada Lovelace", path: "/etc/nginx/app.conf" })).to.deep.equal(["app.conf", "Ada Lovelace"]);
    expect(names({ path: "C:\\Contracts\\Lease 2024.pdf" })).to.deep.equal(["Lease 2024.pdf"]);
    expect(names({ path: "Handbook > Travel > Expenses" })).to.deep.equal(["Expenses"]);
    expect(names({ path: "handbook/travel/" })).to.deep.equal(["travel"]);
    expect(names({ path: "a/x.md", pathPreview: "https://example.org/a/x.md" })).to.deep.equal(["x.md"]);
  });

  it("are the file in its address, decoded, and not the program that shows it", () => {
    expect(names({ pathPreview: "https://example.org/wiki/Gr%C3%B6%C3%9Fe%20A4.pdf#page=2" })).to.deep.equal([
      "Größe A4.pdf",
    ]);
    expect(names({ pathPreview: "https://example.org/100%/" })).to.deep.equal(["100%"]);
    expect(names({ pathPreview: "https://example.org/pages/viewpage.action?pageId=4711" })).to.deep.equal([]);
    expect(names({ pathPreview: "https://example.org/" })).to.deep.equal([]);
    expect(names({ pathPreview: "no address" })).to.deep.equal([]);
  });

  it("are none where nothing is named", () => {
    expect(names({ author: " ", path: "//" })).to.deep.equal([]);
  });
});
