import { expect } from "chai";
import * as fc from "fast-check";
import { toChunks } from "../../../src/adapters/log/textChunks.js";
import { carriedString, carry } from "../../../src/shared/carriedText.js";
import { propertyRuns } from "../../support/propertyRuns.js";

describe("cutting texts into chunks", () => {
  it("loses nothing, stays below 512 KiB each, and splits no character", () => {
    const units = fc.tuple(
      fc.string({ unit: "binary", maxLength: 5 }),
      fc.constantFrom("a", "ü", "€", "😀", "a😀"),
      fc.nat(400_000),
    );
    fc.assert(
      fc.property(units, ([start, unit, times]) => {
        const text = start + unit.repeat(times);
        for (const carried of [text, carry(text)]) {
          const { count, at } = toChunks(carried);
          const chunks = Array.from({ length: count }, (_, index) => carriedString(at(index)));
          expect(chunks.length).to.be.greaterThan(0);
          expect(chunks.join("") === text).to.equal(true);
          expect(Math.max(...chunks.map((chunk) => Buffer.byteLength(chunk)))).to.be.lessThan(512 * 1024);
          expect(chunks.every((chunk) => Buffer.from(chunk).toString() === chunk)).to.equal(true);
        }
      }),
      propertyRuns(60),
    );
  });
});
