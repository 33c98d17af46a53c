import { expect } from "chai";
import * as fc from "fast-check";
import { scanJson, parseStrictJson } from "../../../src/http/validation/strictJson.js";
import { propertyRuns } from "../../support/propertyRuns.js";

const mostValues = 100_000;
const parse = (text: string | Buffer) => parseStrictJson(Buffer.from(text as string), mostValues);
const issueOf = (text: string | Buffer) => {
  const outcome = parse(text);
  if (outcome.ok) return null;
  return outcome.error[0] ?? null;
};
const typeOf = (text: string | Buffer): string | null => issueOf(text)?.type ?? null;
const errorOf = (text: string | Buffer): unknown => issueOf(text)?.ctx?.["error"];

/** Texts as clients send them: quotes, backslashes, braces and other languages. */
const text = fc.string({
  unit: fc.constantFrom("a", '"', "\\", "{", "}", "[", "]", ",", ":", " ", "\n", "é", "漢", "😀", "u", "0"),
});
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 5 }),
    fc.dictionary(text, tie("value"), { maxKeys: 20 }),
  ),
})).value;

describe("a JSON body", () => {
  it("is read as JSON.parse reads it, however it is laid out", () => {
    fc.assert(
      fc.property(json, fc.constantFrom(undefined, 1, "\t"), (value, indent) => {
        const sent = JSON.stringify(value, null, indent);
        expect(parse(sent)).to.deep.equal({ ok: true, value: JSON.parse(sent) });
      }),
      propertyRuns(500),
    );
  });

  it("is refused where any object, however deep, has a key twice", () => {
    const path = fc.array(fc.constantFrom("object", "array"), { maxLength: 6 });
    fc.assert(
      fc.property(
        path,
        fc.uniqueArray(text, { minLength: 1, maxLength: 30 }),
        json,
        fc.nat(),
        (wrappers, keys, value, choice) => {
          const repeated = keys[choice % keys.length] ?? "";
          const entries = [...keys, repeated].map((key) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
          const sent = wrappers.reduce(
            (inner, wrapper) => (wrapper === "array" ? `[0, ${inner}]` : `{"x": ${inner}}`),
            `{${entries.join(",")}}`,
          );
          expect(typeOf(sent)).to.equal("json_invalid");
          expect(errorOf(sent)).to.equal("The same key stands twice in one object");
        },
      ),
      propertyRuns(300),
    );
  });

  it("knows a key however it is escaped, and that objects beside each other may share keys", () => {
    expect(errorOf('{"a":1,"\\u0061":2}')).to.equal("The same key stands twice in one object");
    expect(parse('[{"a":1},{"a":1}]').ok).to.equal(true);
    expect(parse('{"a":{"a":"a","b":["a","a"]},"b":"a"}').ok).to.equal(true);
  });

  it("is refused beyond 200 levels before it is parsed", () => {
    const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
    expect(parse(nested(200)).ok).to.equal(true);
    expect(errorOf(nested(201))).to.equal("The body is nested more than 200 deep");
    expect(scanJson("[".repeat(5_000_000), { deepest: 200, mostValues })).to.deep.equal({
      at: 200,
      message: "The body is nested more than 200 deep",
    });
  });

  it("is refused with more values than there is use for, before it is parsed", () => {
    const values = (count: number): string => `[${"0,".repeat(count - 1)}0]`;
    expect(parse(values(mostValues)).ok).to.equal(true);
    expect(errorOf(values(mostValues + 1))).to.match(/^The body holds more than 100000 values/);
    expect(errorOf(`[${"[],".repeat(mostValues)}`)).to.match(/^The body holds more than 100000 values/);
  });

  it("is refused with more keys in one object than there is use for, before it is parsed", () => {
    const keys = (count: number): string => `{${Array.from({ length: count }, (_, at) => `"k${at}":1`).join()}`;
    expect(parse(`${keys(256)}}`).ok).to.equal(true);
    for (const sent of [`${keys(257)}}`, `[${keys(257)}`, `{"a":${keys(257)}`])
      expect(errorOf(sent)).to.equal("An object has more than 256 keys");
  });

  it("is refused where it is no JSON, with the place where that is known", () => {
    for (const sent of ["{", '{"a":}', "nul", "'a'", '{"a":1,}', "1 2", '"\n"', '"unfinished', "\u0000", '"\\x"'])
      expect(typeOf(sent), sent).to.equal("json_invalid");
    expect(issueOf('{"a":')?.loc).to.deep.equal(["body", 5]);
    expect(typeOf("")).to.equal("missing");
  });

  it("never repeats what was sent when it is no JSON", () => {
    expect(JSON.stringify(issueOf('{"password": hunter2}'))).not.to.contain("hunter2");
  });

  it("is UTF-8, with or without a byte order mark", () => {
    expect(parse(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('"ä"')]))).to.deep.equal({
      ok: true,
      value: "ä",
    });
    for (const bytes of [
      [0x22, 0xe4, 0x22],
      [0x22, 0xc0, 0x80, 0x22],
      [0x22, 0xed, 0xa0, 0x80, 0x22],
      [0xff, 0xfe, 0x22, 0x00],
    ]) {
      expect(errorOf(Buffer.from(bytes))).to.equal("The body is not valid UTF-8");
    }
  });

  it("holds no text that cannot be stored, and says where it is", () => {
    for (const escape of ["\\u0000", "\\ud800", "\\uDC00 \\uD800", "a\\udfffb"]) {
      expect(issueOf(`{"a":[1,{"b":"${escape}"}]}`)).to.deep.include({
        loc: ["body", "a", 1, "b"],
        type: "value_error",
      });
    }
    expect(parse('"\\ud83d\\ude00\\u00e4\\\\u0000"')).to.deep.equal({ ok: true, value: "😀ä\\u0000" });
  });
});
