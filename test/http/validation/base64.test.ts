import { expect } from "chai";
import * as fc from "fast-check";
import { decodedLength, iconLength } from "../../../src/http/validation/base64.js";
import { propertyRuns } from "../../support/propertyRuns.js";

describe("standard Base64", () => {
  it("tells the length of what it decodes to", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        expect(decodedLength(Buffer.from(bytes).toString("base64"))).to.equal(bytes.length);
      }),
      propertyRuns(300),
    );
  });

  it("is what encoding its decoding gives, in one line or more, and nothing else is", () => {
    const nearly = fc.string({
      unit: fc.constantFrom("A", "b", "9", "+", "/", "=", "-", "_", "\n", " ", "ä"),
      maxLength: 12,
    });
    fc.assert(
      fc.property(nearly, (text) => {
        const isStandard = Buffer.from(text, "base64").toString("base64") === text.replaceAll("\n", "");
        expect(decodedLength(text) !== undefined).to.equal(isStandard);
      }),
      propertyRuns(2_000),
    );
  });

  it("may be wrapped into a data URL for an icon", () => {
    expect(iconLength("data:image/svg+xml;charset=utf-8;base64,QUJD")).to.equal(3);
    expect(iconLength("QUJD")).to.equal(3);
    expect(iconLength("data:image/png,QUJD")).to.equal(undefined);
    expect(iconLength("data:image/png;base64,QUJ")).to.equal(undefined);
  });
});
