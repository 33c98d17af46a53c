import { expect } from "chai";
import * as fc from "fast-check";
import type { Source } from "../../src/chat/chat.js";
import { Citations } from "../../src/chat/completion/citations.js";
import { toAnnotations } from "../../src/chat/messages/completion.js";
import { propertyRuns } from "../support/propertyRuns.js";

const sourceOf = (number: number): Source => ({
  ...{ id: null, url: `https://example.org/${number}`, title: `Title ${number}`, snippet: "", date: null },
});
const sources = Array.from({ length: 12 }, (_, at) => sourceOf(at + 1));

/** What the annotations of a text point at, and what they point at it with. */
function cited(...pieces: readonly string[]): readonly (readonly [text: string, url: string])[] {
  const citations = new Citations();
  for (const piece of pieces) citations.add(piece);
  const text = pieces.join("");
  return toAnnotations(citations, sources).map(
    ({ url_citation: { url, title, start_index: start, end_index: end } }) => {
      expect(title).to.equal(`Title ${url.split("/").at(-1)}`);
      return [text.slice(start, end), url];
    },
  );
}

const page = (number: number): readonly [string, string] => [`[${number}]`, `https://example.org/${number}`];

describe("citations", () => {
  it("point at their numbers in the text, and at the sources of these", () => {
    expect(cited("[1] begins, ümläut 😀 [12], twice[2][2], and [1]")).to.deep.equal([1, 12, 2, 2, 1].map(page));
  });

  it("are none where there is no such source, or no number", () => {
    expect(cited("[0] [13] [9999] [10000] [] [1 [a1] [-1] [1.5] ［1］ [[3]]")).to.deep.equal([page(3)]);
    expect(cited()).to.deep.equal([]);
  });

  it("are found wherever the text is split", () => {
    const text = "A[1]b [12] 😀[3][4]… [[5]] [123456[6] end [7]";
    const whole = cited(text);
    expect(whole).to.deep.equal([1, 12, 3, 4, 5, 6, 7].map(page));
    expect(cited(...text.split(""))).to.deep.equal(whole);
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(text.length), { maxLength: 8 }), (places) => {
        const ends = [...places, text.length].sort((a, b) => a - b);
        expect(cited(...ends.map((end, at) => text.slice(ends[at - 1] ?? 0, end)))).to.deep.equal(whole);
      }),
      propertyRuns(100),
    );
  });
});
