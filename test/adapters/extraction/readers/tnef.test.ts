import { expect } from "chai";
import { docx, paragraph } from "../../../support/files/office.js";
import { compressedRtf } from "../../../support/files/outlook.js";
import { readReason, readText } from "../../../support/files/readings.js";

const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
const attribute = (level: number, id: number, data: Buffer): Buffer =>
  Buffer.concat([Buffer.from([level]), number(id), number(data.length), data, Buffer.alloc(2)]);
const property = (tag: number, type: number, data: Buffer): Buffer =>
  Buffer.concat([number(tag * 0x10000 + type), number(1), number(data.length), padded(data)]);
const properties = (...all: readonly Buffer[]): Buffer => Buffer.concat([number(all.length), ...all]);
const tnef = (...all: readonly Buffer[]): Buffer => Buffer.concat([Buffer.from("789f3e220100", "hex"), ...all]);
const [subject, body, rich, name, data] = [0x0037, 0x1000, 0x1009, 0x3707, 0x3701];
const [unicode, ansi, binary, object] = [0x1f, 0x1e, 0x0102, 0x0d];
const [messageProperties, begins, title, content, fileProperties] = [0x69003, 0x69002, 0x18010, 0x6800f, 0x69005];
const codePage = attribute(1, 0x69007, Buffer.concat([number(1251), number(0)]));

describe("what Outlook wraps a mail in", () => {
  const named = Buffer.concat([
    ...[number(0x8000_0003), Buffer.alloc(16), number(1), number(6), padded(Buffer.from("a\0b\0\0\0"))],
    number(7),
  ]);
  const message = properties(
    named,
    property(subject, unicode, Buffer.from("Größe\0", "utf16le")),
    property(body, ansi, Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, 0])),
  );
  const wrapped = tnef(
    codePage,
    attribute(1, messageProperties, message),
    attribute(2, begins, Buffer.alloc(14)),
    attribute(2, title, Buffer.from("PLAN~1.DOC\0")),
    attribute(2, content, docx(paragraph("In Word"))),
    attribute(2, fileProperties, properties(property(name, unicode, Buffer.from("plan.docx", "utf16le")))),
  );

  it("is read with subject, body and what is attached, alone and in a mail", async () => {
    const { text, facts } = await readText(wrapped, { name: "winmail.dat" });
    expect(text.split("\n")).to.deep.equal(["Größe", "Привет", "plan.docx", "In Word", ""]);
    expect(facts).to.include({ mimeType: "application/vnd.ms-tnef", title: "Größe" });
    const mail = `From: ada@example.org\r\nSubject: Outer\r\nContent-Type: application/ms-tnef; name="winmail.dat"\r\nContent-Transfer-Encoding: base64\r\n\r\n${wrapped.toString("base64")}`;
    expect((await readText(mail, { name: "a.eml" })).text.split("\n")).to.deep.equal([
      ...["Outer", "ada@example.org", "Größe", "Привет", "plan.docx", "In Word", ""],
    ]);
  });

  it("is read from rich text, and with a mail that is attached as such", async () => {
    const inner = Buffer.concat([Buffer.alloc(16), wrapped]);
    const file = tnef(
      attribute(1, messageProperties, properties(property(rich, binary, compressedRtf("{\\rtf1 Rich text}")))),
      attribute(2, begins, Buffer.alloc(14)),
      attribute(2, fileProperties, properties(property(data, object, inner))),
    );
    expect((await readText(file)).text).to.match(/^Rich text\n+Größe\nПривет\nplan\.docx\nIn Word\n$/);
  });

  it("is read as far as it goes where it is cut off or lies", async () => {
    const lying = properties(
      Buffer.concat([number(subject * 0x10000 + 0x101f), number(0xffffffff), number(0xffffffff)]),
    );
    const empty = Buffer.concat([number(0xffffffff), number(0x1001001f)]);
    for (const claim of [lying, empty])
      expect((await readText(tnef(attribute(1, messageProperties, claim)))).text).to.equal("");
    for (let length = 6; length < wrapped.length; length += 97)
      expect((await readText(wrapped.subarray(0, length))).text).to.be.a("string");
    expect(await readReason(Buffer.from("789f3e22", "hex"))).to.match(/damaged/);
  });
});
