import { expect } from "chai";
import * as fc from "fast-check";
import { EndlessEvent, eventData } from "../../../src/adapters/models/answer.js";
import { propertyRuns } from "../../support/propertyRuns.js";

async function* given(...pieces: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array, void, void> {
  for (const piece of pieces) yield await Promise.resolve(Buffer.from(piece));
}

async function dataIn(...pieces: readonly (string | Uint8Array)[]): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const data of eventData(given(...pieces))) found.push(data);
  return found;
}

const failureOf = (...pieces: readonly (string | Uint8Array)[]): Promise<unknown> =>
  dataIn(...pieces).catch((error: unknown) => error);

describe("the events of a model's server", () => {
  const streams: readonly (readonly [name: string, stream: string, data: readonly string[]])[] = [
    ["end in an empty line", "data: a\n\ndata: b\n\n", ["a", "b"]],
    ["have lines that end in CR LF", "data: a\r\ndata: b\r\n\r\ndata: c\r\n\r\n", ["a\nb", "c"]],
    ["have lines that end in CR", "data: a\r\rdata: b\r\rx", ["a", "b"]],
    ["need no space after the colon, and lose one alone", "data:a\n\ndata:  b\n\n", ["a", " b"]],
    ["may have several lines", "data: a\ndata: b\n\n", ["a\nb"]],
    ["are no comments and no other fields", ": hello\n\nevent: x\nid: 1\ndata: a\nretry: 5\n\n:\n\n", ["a"]],
    ["are not what the stream ends in", "data: a\n\ndata: b\n", ["a"]],
    ["may begin with a byte order mark", "\ufeffdata: ä\n\n", ["ä"]],
  ];
  for (const [name, stream, data] of streams)
    it(name, async () => {
      expect(await dataIn(stream)).to.deep.equal(data);
    });

  it("are the same wherever their bytes are split", async () => {
    const stream = Buffer.from(streams.map(([, text]) => `${text}\n\n`).join("") + 'data: {"ü€😀":1}\r\n\r\n');
    const whole = await dataIn(stream);
    expect(whole.at(-1)).to.equal('{"ü€😀":1}');
    expect(await dataIn(...Array.from(stream, (byte) => Uint8Array.of(byte)))).to.deep.equal(whole);
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.nat(stream.length), { maxLength: 12 }), async (places) => {
        const ends = [...places, stream.length].sort((a, b) => a - b);
        const pieces = ends.map((end, at) => stream.subarray(ends[at - 1] ?? 0, end));
        expect(await dataIn(...pieces)).to.deep.equal(whole);
      }),
      propertyRuns(100),
    );
  });

  it("are bounded, in one line and in many", async () => {
    const mebibyte = "x".repeat(1_048_576);
    expect(await failureOf("data: ", ...Array.from({ length: 5 }, () => mebibyte))).to.be.instanceOf(EndlessEvent);
    expect(await failureOf(...Array.from({ length: 5 }, () => `data: ${mebibyte}\n`))).to.be.instanceOf(EndlessEvent);
    expect(await dataIn(`data: ${mebibyte}\n\n`, `data: ${mebibyte}\n\n`)).to.have.length(2);
    expect(await failureOf("data:\n".repeat(1_000_000))).to.be.instanceOf(EndlessEvent);
  });
});
