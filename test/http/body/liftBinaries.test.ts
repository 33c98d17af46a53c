import { expect } from "chai";
import { checkDocuments, checkLargeDocuments, readDocument, liftBinaries } from "../../../src/api/documentIntake.js";

const mostBytes = 400_000;
const message = (binary: string, id = "a"): object => ({
  ...{ datasource: "wiki", id, title: id, file_type: "file" },
  body: { mime_type: "image/png", binary_base64: binary },
});
const base64 = (length: number): string => Buffer.alloc(length, "some bytes").toString("base64");

/** The commands of a body, or what is wrong with it. */
const read = (body: string, check: typeof checkLargeDocuments): unknown => {
  const checked = check(Buffer.from(body), mostBytes);
  if (!checked.ok) return checked.error;
  const { messages, ...rules } = checked.value;
  return messages.map((one) => {
    const document = readDocument(one, { ...rules, maxBinaryBytes: mostBytes });
    return JSON.stringify(document, (_, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value,
    );
  });
};
const readWhole: typeof checkLargeDocuments = (body) => checkDocuments(body);

describe("large binaries of a body", () => {
  it("are decoded where they lie, and the rest is parsed without them", () => {
    const body = JSON.stringify({ documents: [message(base64(300_000)), message(base64(10))] });
    const { json, binaries } = liftBinaries(Buffer.from(body), mostBytes);
    expect(json.length).to.be.below(400);
    expect([...binaries.values()].map(({ length }) => length)).to.deep.equal([300_000]);
  });

  it("are not kept where they are too large", () => {
    const { binaries } = liftBinaries(Buffer.from(JSON.stringify(message(base64(mostBytes + 1)))), mostBytes);
    expect([...binaries.values()]).to.deep.equal([{ length: mostBytes + 1, bytes: null }]);
  });

  const large = base64(300_001);
  const wrapped = large.replaceAll(/.{76}/g, "$&\r\n");

  it("are decoded in lines of mail, too", () => {
    for (const text of [wrapped, `${wrapped}\n`]) {
      const { binaries } = liftBinaries(Buffer.from(JSON.stringify(message(text))), mostBytes);
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
      expect(read(body, checkLargeDocuments)).to.deep.equal(read(body, readWhole));
    });
});
