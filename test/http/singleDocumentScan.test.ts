import { expect } from "chai";
import * as fc from "fast-check";
import { SingleDocumentScan } from "../../src/http/body/singleDocumentScan.js";
import { propertyRuns } from "../support/propertyRuns.js";

/** The same text in pieces of this size. */
const scanned = (text: string, size: number): SingleDocumentScan => {
  const scan = new SingleDocumentScan();
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) scan.add(bytes.subarray(at, at + size));
  return scan;
};

const key = fc.constantFrom("documents", "body", "binary_base64", 'a"b', "x\\");
const text = fc.string({ unit: fc.constantFrom("a", '"', "\\", "{", "]", ",", "/", "ä"), maxLength: 12 });
const leaf = fc.oneof(text, fc.integer(), fc.constant(null));
const inner = fc.oneof(leaf, fc.dictionary(key, leaf, { maxKeys: 3 }), fc.array(leaf, { maxLength: 3 }));
const json = fc.oneof(inner, fc.dictionary(key, inner, { maxKeys: 3 }), fc.array(inner, { maxLength: 3 }));
const document = fc.record({ a: json, body: fc.record({ mime_type: text, binary_base64: text, b: json }), c: json });
const body = fc.oneof(json, fc.record({ x: json, documents: fc.oneof(document, fc.array(document)), y: json }));

describe("the scan of a body that is too large", () => {
  it("finds the length of the only document's binary, in whatever pieces it comes", () => {
    fc.assert(
      fc.property(body, fc.integer({ min: 1, max: 40 }), (value, size) => {
        const { documents } = (value ?? {}) as { documents?: { body?: { binary_base64?: unknown } } };
        const isArray = Array.isArray(value) || Array.isArray(documents);
        const binary = isArray ? undefined : documents?.body?.binary_base64;
        const scan = scanned(JSON.stringify(value), size);
        expect(scan.isSingle).to.equal(!isArray);
        if (!isArray) expect(scan.binaryLength).to.equal(typeof binary === "string" ? Buffer.byteLength(binary) : 0);
      }),
      propertyRuns(100),
    );
  });

  it("counts characters, however they are escaped", () => {
    const escaped = '{"documents":{"body":{"binary_base64":"ab\\/\\u002Fcd=="}}}';
    for (const size of [1, 2, 3, 100]) expect(scanned(escaped, size).binaryLength).to.equal(8);
  });

  it("takes time that grows with the body alone", () => {
    const started = performance.now();
    scanned(`{"documents":{"title":"${"\\n".repeat(2_000_000)}"}}`, 1_048_576);
    expect(performance.now() - started).to.be.lessThan(5_000);
  });
});
