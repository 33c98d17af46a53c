import { expect } from "chai";
import { docx, paragraph, pptx, xlsx } from "../../../support/files/office.js";
import { epub, openDocument } from "../../../support/files/openDocument.js";
import { compoundFile } from "../../../support/files/oldOffice.js";
import { readReason, readText } from "../../../support/files/readings.js";
import { zip } from "../../../support/files/zip.js";

const office = "application/vnd.openxmlformats-officedocument";
const word = docx(paragraph("Body"));
const page = "<!DOCTYPE html><html><body><p>Hello</p></body></html>";

type Declared = Parameters<typeof readText>[1];

async function typeOf(content: Buffer | string, declared: Declared = {}): Promise<readonly (string | undefined)[]> {
  const { facts } = await readText(content, declared);
  return facts.declaredMimeType === undefined ? [facts.mimeType] : [facts.mimeType, facts.declaredMimeType];
}

describe("the media type of a file", () => {
  it("is what the content shows, whatever was declared and whatever it is called", async () => {
    const contents: readonly (readonly [Buffer | string, string])[] = [
      [word, `${office}.wordprocessingml.document`],
      [pptx([{ shapes: ["One"] }]), `${office}.presentationml.presentation`],
      [xlsx({ S: "" }), `${office}.spreadsheetml.sheet`],
      [openDocument("text", ""), "application/vnd.oasis.opendocument.text"],
      [openDocument("spreadsheet", ""), "application/vnd.oasis.opendocument.spreadsheet"],
      [epub({}), "application/epub+zip"],
      [zip({ "a.txt": "a" }), "application/zip"],
      ["{\\rtf1 text}", "application/rtf"],
    ];
    for (const [content, mimeType] of contents) {
      expect(await typeOf(content), mimeType).to.deep.equal([mimeType]);
      expect(await typeOf(content, { mimeType: "text/plain", name: "a.txt" })).to.deep.equal([mimeType, "text/plain"]);
      expect(await typeOf(content, { mimeType, name: "a.txt" })).to.deep.equal([mimeType]);
    }
  });

  it("is no lie under another of its names, or where nothing was said", async () => {
    const names = ["application/octet-stream", "application/zip", "application/x-zip-compressed"];
    for (const mimeType of [...names, "application/vnd.ms-word.document.macroenabled.12"])
      expect(await typeOf(word, { mimeType }), mimeType).to.deep.equal([`${office}.wordprocessingml.document`]);
    expect(await typeOf("{\\rtf1 text}", { mimeType: "text/rtf" })).to.deep.equal(["application/rtf"]);
    for (const mimeType of ["text/markdown", "text/x-markdown", "text/xml", "application/xml", "application/json"])
      expect(await typeOf("<a>1</a>", { mimeType })).to.deep.equal([mimeType]);
  });

  it("is a lie where an archive is called a document", async () => {
    const declared = `${office}.wordprocessingml.document`;
    expect(await typeOf(zip({ "a.txt": "text" }), { mimeType: declared })).to.deep.equal(["application/zip", declared]);
  });

  it("is for text what was declared, then what the name says, then what the text begins like", async () => {
    expect(await typeOf(page, { mimeType: "text/plain", name: "a.md" })).to.deep.equal(["text/plain"]);
    expect(await typeOf(page, { name: "a.md" })).to.deep.equal(["text/markdown"]);
    expect(await typeOf(page, { mimeType: "application/octet-stream" })).to.deep.equal(["text/html"]);
    expect(await typeOf('<?xml version="1.0"?><a/>')).to.deep.equal(["application/xml"]);
    expect(await typeOf(`<!-- a --> <!-- -b- -->\n${page}`)).to.deep.equal(["text/html"]);
    expect(await typeOf(`${"<!---->".repeat(500)}x`)).to.deep.equal(["text/plain"]);
    expect(await typeOf("just words")).to.deep.equal(["text/plain"]);
    expect(await typeOf("BM words that begin like a picture", { name: "a" })).to.deep.equal(["text/plain"]);
    expect(await typeOf("a;b\n1;2", { mimeType: "application/vnd.ms-excel", name: "a.csv" })).to.deep.equal([
      "text/csv",
      "application/vnd.ms-excel",
    ]);
    expect(await typeOf(page, { mimeType: "application/msword" })).to.deep.equal(["text/html", "application/msword"]);
  });

  it("is that of text for text, whatever was declared and however its name ends", async () => {
    const types = [
      "video/mp2t",
      "application/x-foo",
      "application/pdf",
      "audio/x-mpegurl",
      "font/x",
      "application/zip",
    ];
    for (const mimeType of types)
      expect(await typeOf("just words", { mimeType }), mimeType).to.deep.equal(["text/plain", mimeType]);
    const sources = ["x-httpd-php", "x-tex", "x-subrip", "x-sh", "x-python", "x-perl", "sql", "x-yaml", "toml"];
    for (const mimeType of sources.map((name) => `application/${name}`))
      expect(await typeOf("just words", { mimeType }), mimeType).to.deep.equal([mimeType]);
    for (const name of ["a.ts", "a.bat", "a.log", "a.conf", "a.mp4", "a.pdf"])
      expect(await typeOf("just words", { name }), name).to.deep.equal(["text/plain"]);
    expect(await readReason("%!PS-Adobe-3.0\n%%Pages: 1\n")).to.match(/^Text cannot be extracted from .*postscript/);
  });

  it("of a recording begins with its signature", async () => {
    const packets = Buffer.alloc(188 * 5);
    for (let at = 0; at < packets.length; at += 188) packets[at] = 0x47;
    expect(await readReason(packets, { mimeType: "video/mp2t", name: "a.ts" })).to.match(/^The file is a video/);
  });

  it("is a mail where nothing but headers stands before the first empty line, and enough of a mail's", async () => {
    const headers = "Return-Path: <a@example.org>\r\nReceived: from a\r\n by b\r\nSubject: Hello\r\n";
    const servers = `Received: from a\r\n by b\r\nX-Checked: yes\r\n`.repeat(300);
    expect(await typeOf(`${servers}Subject: a\r\nDate: now\r\n\r\nHello`)).to.deep.equal(["message/rfc822"]);
    for (const end of ["\r\nHello", "", "X-Long: " + "word ".repeat(10_000)])
      expect(await typeOf(headers + end)).to.deep.equal(["message/rfc822"]);
    expect(await typeOf(`From a@example.org Thu Nov 26\nFrom: a\nTo: b\nDate: now\nSubject: c\n\nd`)).to.deep.equal([
      "message/rfc822",
    ]);
    for (const text of [`${headers}no header\r\n\r\n`, ` ${headers}`, "Date: now\nSubject: a\nAmount: 3\n\n"])
      expect(await typeOf(text), text).to.deep.equal(["text/plain"]);
  });

  it("is that of an image only where the content shows an image", async () => {
    const bytes = Buffer.from([1, 2, 3, 0]);
    for (const said of [{ mimeType: "image/png" }, { mimeType: "image/x-tga" }, { name: "photo.jpg" }])
      expect(await readReason(bytes, said)).to.match(/^It cannot be told what kind of file it is\./);
    for (const mimeType of ["image/png", "image/jpeg", "image/heic", "image/svg+xml"]) {
      expect(await typeOf("GIF89a and more words", { mimeType })).to.deep.equal(["text/plain", mimeType]);
      expect(await typeOf("# Plan", { mimeType, name: "plan.md" })).to.deep.equal(["text/markdown", mimeType]);
      expect(await typeOf(page, { mimeType })).to.deep.equal(["text/html", mimeType]);
      expect(await typeOf(word, { mimeType })).to.deep.equal([`${office}.wordprocessingml.document`, mimeType]);
    }
    expect(await typeOf("just words", { name: "photo.png" })).to.deep.equal(["text/plain"]);
    const drawing = '<?xml version="1.0"?><!-- drawn --><svg xmlns="http://www.w3.org/2000/svg"><text>x</text></svg>';
    for (const said of [{ mimeType: "image/svg+xml" }, { name: "a.svg" }, {}])
      expect(await typeOf(drawing, said)).to.deep.equal(["image/svg+xml"]);
  });

  it("is that of an image whose pixels begin far behind its head", async () => {
    const profile = Buffer.alloc(100_000);
    profile.write("89504e470d0a1a0a0000000d49484452000000080000000808000000004bd2a9f5", "hex");
    profile.writeUInt32BE(90_000, 33);
    profile.write("iTXt", 37, "latin1");
    expect(await typeOf(profile, { mimeType: "text/plain" })).to.deep.equal(["image/png", "text/plain"]);
  });

  it("is named where there is no reader for it, with what to do that every sender can", async () => {
    const boxed = (brand: string): Buffer => Buffer.from(`\0\0\0\x18ftyp${brand}\0\0\0\0mif1${brand}`, "latin1");
    const reasons: readonly (readonly [Buffer | string, string, string])[] = [
      [
        Buffer.from([1, 2, 3, 0]),
        "application/x-foo",
        "Text cannot be extracted from application/x-foo. Send its text, or save it as PDF.",
      ],
      [Buffer.from([1, 2, 3, 0]), "", "It cannot be told what kind of file it is. Send its text, or save it as PDF."],
      [boxed("isom"), "text/plain", "The file is a video (video/mp4). Send what is said in it as text instead."],
      [boxed("M4A "), "", "The file is a recording (audio/x-m4a). Send what is said in it as text."],
      [
        boxed("avif"),
        "",
        "Images of the type image/avif cannot be read. Convert the image to JPEG or PNG and send that.",
      ],
    ];
    for (const [content, mimeType, reason] of reasons) expect(await readReason(content, { mimeType })).to.equal(reason);
  });

  it("is told of what has a beginning of its own, with what to do about it", async () => {
    for (const [start, message] of [
      ["e4525c7b8cd8a74daeb15378d02996d30000", /^Notebooks of OneNote cannot be read\. Export it/],
      ["04224d186040820000000000", /^Files packed as application\/x-lz4 cannot be unpacked\. Unpack it/],
      ["7f454c4602010100000000000000000003003e00", /^The file is a program/],
      ["dba52d0031400904000000002d000000", /^The document is of a version of Word that cannot be read/],
      ["30373037303100010203", /^The archive is damaged/],
    ] as const)
      expect(await readReason(Buffer.from(start, "hex")), start).to.match(message);
  });

  it("of a file of parts that no program here knows is no archive, whose names would be read", async () => {
    const unknown = zip({ "[Content_Types].xml": "<Types><Override ContentType='x/y'/></Types>", "a/b.xml": "<a/>" });
    expect(await readReason(unknown)).to.match(/^Text cannot be extracted from application\/x-office-package/);
    const design = zip({ mimetype: "application/vnd.adobe.indesign-idml-package", "Stories/a.xml": "<a/>" });
    expect(await readReason(design)).to.match(/^Text cannot be extracted from application\/vnd\.adobe/);
  });

  it("of old and of encrypted Office files is told by what is in them", async () => {
    const compound = (name: string): Buffer => compoundFile({ [name]: Buffer.alloc(5_000) });
    const word2007 = `${office}.wordprocessingml.document`;
    for (const [stream, damaged] of [
      ["WordDocument", "The document is of a version of Word"],
      ["PowerPoint Document", "The file is damaged: Current User"],
    ] as const)
      expect(await readReason(compound(stream), { mimeType: word2007 }), stream).to.match(new RegExp(`^${damaged}`));
    expect((await readText(compound("Workbook"), { mimeType: word2007 })).facts.mimeType).to.equal(
      "application/vnd.ms-excel",
    );
    expect(await readReason(compound("EncryptedPackage"), { mimeType: word2007 })).to.equal(
      "The Office file is encrypted.",
    );
  });

  it("of nothing but NULs is what was declared, which then cannot be read", async () => {
    const nulls = Buffer.alloc(5_000);
    for (const mimeType of ["application/pdf", `${office}.wordprocessingml.document`, "application/zip", null])
      expect(await readReason(nulls, { mimeType }), String(mimeType)).to.match(/^[A-Z].*\.$/);
  });
});
