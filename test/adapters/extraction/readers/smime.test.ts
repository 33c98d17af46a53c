import { expect } from "chai";
import { deflateSync } from "node:zlib";
import { readReason, readText } from "../../../support/files/readings.js";

const element = (tag: number, ...content: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(content);
  const length = Buffer.from([0x84, 0, 0, 0, 0]);
  length.writeUInt32BE(body.length, 1);
  return Buffer.concat([Buffer.from([tag]), length, body]);
};
/** An element whose length is not said. */
const unsized = (tag: number, ...content: readonly Buffer[]): Buffer =>
  Buffer.concat([Buffer.from([tag, 0x80]), ...content, Buffer.from([0, 0])]);
const identifier = (hex: string): Buffer => element(0x06, Buffer.from(hex, "hex"));
const signed = "2a864886f70d010702";
const data = identifier("2a864886f70d010701");
const version = element(0x02, Buffer.from([1]));
const algorithms = element(0x31, element(0x30, identifier("608648016503040201")));
const wrapped = (kind: string, content: Buffer, digests = algorithms): Buffer =>
  element(0x30, identifier(kind), element(0xa0, element(0x30, version, digests, content)));

const inner = Buffer.from("Content-Type: text/plain; charset=utf-8\r\n\r\nDelivery on Thursday, Größe 5.\r\n");
const mail = (content: Buffer): string =>
  `From: ada@example.org\r\nSubject: Signed\r\nMIME-Version: 1.0\r\nContent-Type: application/x-pkcs7-mime; name="smime.p7m"\r\nContent-Transfer-Encoding: base64\r\n\r\n${content.toString("base64")}\r\n`;

describe("mails that are signed in one piece", () => {
  it("are read, however their lengths are written and in how many pieces they come", async () => {
    const pieces = unsized(0x24, element(0x04, inner.subarray(0, 20)), element(0x04, inner.subarray(20)));
    for (const octets of [element(0x04, inner), pieces]) {
      const content = wrapped(signed, element(0x30, data, unsized(0xa0, octets)));
      expect((await readText(mail(content))).text).to.equal(
        "Signed\nada@example.org\nDelivery on Thursday, Größe 5.\n",
      );
      expect((await readText(content, { name: "a.p7m" })).text).to.equal("Delivery on Thursday, Größe 5.\n");
    }
  });

  it("are read where they are packed", async () => {
    const packed = element(0x30, data, element(0xa0, element(0x04, deflateSync(inner))));
    const content = wrapped("2a864886f70d0109100109", packed, element(0x30, identifier("2a864886f70d0109100308")));
    expect((await readText(mail(content))).text).to.match(/Delivery on Thursday/);
  });

  it("are told to be encrypted where they are, beside their subject", async () => {
    const content = wrapped("2a864886f70d010703", element(0x30, data));
    const { text, facts } = await readText(mail(content));
    expect(text).to.match(/^Signed\n/);
    expect(facts.parts?.map(({ name, unread }) => [name, unread])).to.deep.equal([
      ["smime.p7m", "The email is encrypted."],
    ]);
    expect(await readReason(content, { mimeType: "application/pkcs7-mime" })).to.equal("The email is encrypted.");
  });

  it("are refused where they are damaged, whatever they claim", async () => {
    const deep = Buffer.alloc(1_000_000, Buffer.from([0x30, 0x80]));
    const long = Buffer.from("30847fffffff0600", "hex");
    for (const content of [deep, long, Buffer.from("300300", "hex"), element(0x30, version)])
      expect(await readReason(content, { mimeType: "application/pkcs7-mime", form: "typed" })).to.match(/damaged/);
  });
});
