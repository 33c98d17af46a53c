import { expect } from "chai";
import { searchedTextsOf, type DescribedDocument } from "../../src/analysis/searchedTexts.js";

const nothing: DescribedDocument = { author: null, path: null, pathPreview: null, customProperties: [] };

const names = (document: Partial<DescribedDocument>): readonly string[] =>
  searchedTextsOf({ ...nothing, ...document }, new Set()).flatMap(({ field, text }) =>
    field === "folder" ? [] : text,
  );

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
    for (const query of ["web=1", "d=w0f1&csf=1"])
      expect(names({ pathPreview: `https://example.org/:x:/r/Lease%202024.xlsx?${query}` })).to.deep.equal([
        "Lease 2024.xlsx",
      ]);
    for (const page of ["index.php", "view.aspx", "topic.html", "browse"])
      expect(names({ pathPreview: `https://example.org/${page}?id=4711` }), page).to.deep.equal([]);
    expect(names({ pathPreview: "https://example.org/" })).to.deep.equal([]);
    expect(names({ pathPreview: "no address" })).to.deep.equal([]);
  });

  it("are none where nothing is named", () => {
    expect(names({ author: " ", path: "//" })).to.deep.equal([]);
  });
});

describe("the other texts by which a document is searched", () => {
  it("say of which field they are", () => {
    const customProperties = [
      { name: "colour", value: "blue" },
      { name: "size", value: 42 },
      { name: "secret", value: "hidden" },
    ];
    expect(
      searchedTextsOf({ ...nothing, author: "Ada", path: "a/b.md", customProperties }, new Set(["size", "colour"])),
    ).to.deep.equal([
      { field: "property", text: "blue" },
      { field: "property", text: "42" },
      { field: "file_name", text: "b.md" },
      { field: "author", text: "Ada" },
      { field: "folder", text: "a" },
    ]);
  });

  it("are the folders of its path, each by itself", () => {
    const folders = (path: string) =>
      searchedTextsOf({ ...nothing, path }, new Set()).flatMap(({ field, text }) => (field === "folder" ? [text] : []));
    expect(folders("/Vertrieb Süd/Angebote/2024.pdf")).to.deep.equal(["Vertrieb Süd > Angebote"]);
    expect(folders("Handbook > Travel > Expenses")).to.deep.equal(["Handbook > Travel"]);
    expect(folders("C:\\Contracts\\Lease.pdf")).to.deep.equal(["C: > Contracts"]);
    expect(folders("alone.md")).to.deep.equal([]);
  });
});
