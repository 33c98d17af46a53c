import { expect } from "chai";
import { documentAddress } from "../../src/shared/documentAddress.js";

const origin = "https://search.example.org";
const own = `${origin}/documents/wiki__a%20b`;

describe("where people open a document", () => {
  it("is where its source says, else at the service", () => {
    const said = ["https://wiki.example.org/a", "\\\\server\\share", "/wiki/a"];
    for (const pathPreview of said)
      expect(documentAddress(origin, { id: "wiki__a b", pathPreview })).to.equal(pathPreview);
    for (const pathPreview of [null, ""])
      expect(documentAddress(origin, { id: "wiki__a b", pathPreview })).to.equal(own);
  });

  it("runs nothing where it is opened, and opens no file of that machine", () => {
    for (const pathPreview of [
      "javascript:alert(1)",
      " JavaScript:alert(1)",
      "java\tscript:alert(1)",
      "data:text/html,x",
      "file://server/share/a.docx",
      "blob:https://x.example/1",
    ])
      expect(documentAddress(origin, { id: "wiki__a b", pathPreview }), pathPreview).to.equal(own);
  });
});
