import { expect } from "chai";
import * as fc from "fast-check";
import { documentIdOf } from "../../../src/cli/import/toPushedDocument.js";

const path = fc
  .array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 80 }), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.join("/"));

describe("the document id of a file", () => {
  it("keeps to the id rules whatever the path", () => {
    fc.assert(
      fc.property(path, (text) => {
        const id = documentIdOf(text);
        expect(id).to.match(/^[A-Za-z0-9._-]{1,200}$/);
        expect(id).not.to.include("..");
      }),
    );
  });

  it("differs for paths that differ, even where they look alike", () => {
    fc.assert(fc.property(path, path, (one, other) => (documentIdOf(one) === documentIdOf(other)) === (one === other)));
    const alike = ["a/b.md", "a-b.md", "a b.md", "a/b.md ", "ä/b.md", "A/b.md", "a//b.md", "…/b.md"];
    expect(new Set(alike.map(documentIdOf)).size).to.equal(alike.length);
  });

  it("is readable, and the same every time", () => {
    expect(documentIdOf("Anleitungen/Übersicht (neu).md")).to.match(/^Anleitungen-Ubersicht-neu-\.md-[0-9a-f]{24}$/);
    expect(documentIdOf("guides/setup.md")).to.equal("guides-setup.md-3b235c7395342fee399fedfd");
  });
});
