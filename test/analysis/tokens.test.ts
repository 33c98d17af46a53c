import { expect } from "chai";
import * as fc from "fast-check";
import { forEachToken } from "../../src/analysis/tokens.js";
import { propertyRuns } from "../support/propertyRuns.js";

/** The first `most` tokens of a text, with none seen behind them. */
function firstTokens(text: string, most: number): readonly string[] {
  const tokens: string[] = [];
  forEachToken(text, 0, text.length, (start, end) => {
    tokens.push(text.slice(start, end));
    return tokens.length === most;
  });
  return tokens;
}

const pieces = ["run", "retryBackoffMillis", "HTTPServer", "Ölstand", "ÄÖÜber", "x1", "大阪府立", "it's", "a-b"];

describe("the tokens of a text", () => {
  it("are told up to where enough was seen", () => {
    const text = fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((words) => words.join(" "));
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 30 }), (written, most) => {
        expect(firstTokens(written, most)).to.deep.equal(firstTokens(written, Infinity).slice(0, most));
      }),
      propertyRuns(200),
    );
    expect(firstTokens("the retryBackoffMillis of HTTPServer, ÄÖÜber", Infinity)).to.deep.equal([
      "the",
      "retry",
      "Backoff",
      "Millis",
      "of",
      "HTTP",
      "Server",
      "ÄÖ",
      "Über",
    ]);
  });
});
