import { expect } from "chai";
import * as fc from "fast-check";
import { checkDocuments, checkLargeDocuments, readDocument } from "../../../src/http/body/documentIntake.js";
import { liftBinaries } from "../../../src/http/body/liftBinaries.js";
import { propertyRuns } from "../../support/propertyRuns.js";

const mostBytes = 400_000;
const inBlocks = (body: string | Buffer, size: number): readonly Buffer[] => {
  const bytes = Buffer.from(body as string);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
};
const message = (binary: string, id = "a"): object => ({
  ...{ datasource: "wiki", id, title: id, file_type: "file" },
  body: { mime_type: "image/png", binary_base64: binary },
});
const base64 = (length: number): string => Buffer.alloc(length, "some bytes").toString("base64");

/** The commands of a body, or what is wrong with it. */
const read = (blocks: readonly Buffer[], check: typeof checkLargeDocuments): unknown => {
  const checked = check(blocks, mostBytes);
  if (!checked.ok) return checked.error;
  const { messages, ...rules } = checked.value;
  return messages.map((one) => {
    const document = readDocument(one, { ...rules, maxBinaryBytes: mostBytes });
    return JSON.stringify(document, (_, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value,
    );
  });
};
const readWhole: typeof checkLargeDocuments = (blocks) => checkDocuments(Buffer.concat(blocks));

describe("large binaries of a body", () => {
  it("are decoded where they lie, and the rest is parsed without them", () => {
    const body = JSON.stringify({ documents: [message(base64(300_000)), message(base64(10))] });
    const { json, binaries } = liftBinaries(inBlocks(body, 65_536), mostBytes);
    expect(json.length).to.be.below(400);
    expect([...binaries.values()].map(({ length }) => length)).to.deep.equal([300_000]);
  });

  it("are not kept where they are too large", () => {
    const { binaries } = liftBinaries(inBlocks(JSON.stringify(message(base64(mostBytes + 1))), 65_536), mostBytes);
    expect([...binaries.values()]).to.deep.equal([{ length: mostBytes + 1, bytes: null }]);
  });

  const large = base64(300_001);
  const wrapped = large.replaceAll(/.{76}/g, "$&\r\n");

  it("are decoded in lines of mail, too", () => {
    for (const text of [wrapped, `${wrapped}\n`]) {
      const { binaries } = liftBinaries(inBlocks(JSON.stringify(message(text)), 65_536), mostBytes);
      expect([...binaries.values()].map(({ bytes }) => Buffer.from(bytes ?? []).toString("base64"))).to.deep.equal([
        large,
      ]);
    }
  });

  const bodies: readonly (readonly [string, string])[] = [
    ["of a single document", JSON.stringify({ documents: message(large) })],
    ["with space around", JSON.stringify({ documents: message(large) }, null, 2)],
    ["too large by a byte", JSON.stringify({ documents: message(base64(mostBytes + 1)) })],
    ["that are no Base64", JSON.stringify({ documents: message(`${large.slice(0, -4)}a*==`) })],
    ["with padding in the middle", JSON.stringify({ documents: message(`${large}${large}`) })],
    ["of an odd length", JSON.stringify({ documents: message(large.slice(0, -1)) })],
    ["with bits left over", JSON.stringify({ documents: message(`${base64(300_000)}AB==`) })],
    ["in lines", JSON.stringify({ documents: message(`${wrapped}\r\n`) })],
    ["in lines, with another escape", JSON.stringify({ documents: message(`${wrapped}\t`) })],
    ["with escapes", JSON.stringify({ documents: message(large) }).replaceAll("z", "\\u007a")],
    ["before a mistake", `${JSON.stringify({ documents: message(large) }).slice(0, -1)},}`],
    ["that are never closed", JSON.stringify({ documents: message(large) }).slice(0, -4)],
    ["in a document of a wrong shape", JSON.stringify({ documents: { ...message(large), id: 7 } })],
    [
      "that stand twice",
      JSON.stringify({ documents: message(large) }).replace('{"mime', `{"binary_base64":"${large}","mime`),
    ],
    [
      "of other keys",
      JSON.stringify({ documents: { ...message("YQ=="), '"binary_base64': large, binary_base64: large } }),
    ],
    [
      "named in a text",
      JSON.stringify({ documents: { ...message("YQ=="), title: `"binary_base64":"${large}"`.slice(0, 900) } }),
    ],
  ];
  for (const [what, body] of bodies)
    it(`are read as if they were small: ${what}`, () => {
      const blocks = inBlocks(body, 65_536);
      expect(read(blocks, checkLargeDocuments)).to.deep.equal(read(blocks, readWhole));
    });

  it("are found wherever blocks end", () => {
    const body = Buffer.from(JSON.stringify({ documents: [message(large, "a"), message(large, "b")] }));
    const expected = read([body], readWhole);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 50_000, max: 300_000 }), (first, size) => {
        const blocks = [body.subarray(0, first), ...inBlocks(body.subarray(first), size)];
        expect(read(blocks, checkLargeDocuments)).to.deep.equal(expected);
      }),
      propertyRuns(20),
    );
  });
});
