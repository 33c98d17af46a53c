import { gzipSync } from "node:zlib";
import { expect } from "chai";
import iconv from "iconv-lite";
import { docxBomb, lyingZipBomb, zipBomb } from "../../../support/files/hostile.js";
import { docx, paragraph } from "../../../support/files/office.js";
import { readReason, readText } from "../../../support/files/readings.js";
import { packed, zip } from "../../../support/files/zip.js";

describe("archives", () => {
  it("are read with the names of their files, and what is in them, but for archives in archives", async () => {
    const file = zip({
      "notes.txt": "Größe",
      "folder/": "",
      "folder/plan.docx": docx(paragraph("In Word")),
      "inner.zip": zip({ "deep.txt": "too deep" }),
      "photo.bin": Buffer.from([1, 2, 3, 0]),
      "__MACOSX/._notes.txt": "no",
      "../../etc/passwd": "only a name",
      "/absolute.md": "# also",
    });
    const { text, facts } = await readText(file, { mimeType: "application/x-zip-compressed" });
    expect(text.split("\n").filter((line) => line !== "")).to.deep.equal([
      ...["notes.txt", "Größe", "folder/plan.docx", "In Word", "inner.zip", "photo.bin"],
      ...["../../etc/passwd", "only a name", "/absolute.md", "# also"],
    ]);
    const { parts = [], ...others } = facts;
    expect(others).to.deep.equal({ mimeType: "application/zip" });
    expect(parts.map(({ name, at }) => text.startsWith(name, at))).to.deep.equal(parts.map(() => true));
    expect(parts.map(({ name, mimeType, unread }) => [name, mimeType ?? unread])).to.deep.equal([
      ["notes.txt", "text/plain"],
      ["folder/plan.docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
      ["inner.zip", "Archives in archives are not opened."],
      ["photo.bin", "It cannot be told what kind of file it is. Send its text, or save it as PDF."],
      ["../../etc/passwd", "text/plain"],
      ["/absolute.md", "text/markdown"],
    ]);
  });

  it("are read up to a thousand files, and say so", async () => {
    const many = zip(Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [`${n}.txt`, `text${n}`])));
    const { text, facts } = await readText(many);
    expect([text.includes("text999"), text.includes("text1000"), facts.truncated]).to.deep.equal([true, false, true]);
  });

  it("are read under names that DOS wrote, and with gaps", async () => {
    const file = zip({ "gr_n.txt": "text" });
    const dos = Buffer.from(file.toString("latin1").replaceAll("gr_n", "gr\x81n"), "latin1");
    expect((await readText(dos)).text).to.equal("grün.txt\ntext\n");
    const japanese = iconv.encode("請求書2024年度.txt", "shift_jis");
    const ofJapan = zip({ [japanese.toString("hex")]: "text" });
    const hex = Buffer.from(japanese.toString("hex"));
    const names = Buffer.concat([japanese, Buffer.alloc(hex.length - japanese.length, " ")]);
    for (let at = ofJapan.indexOf(hex); at >= 0; at = ofJapan.indexOf(hex)) names.copy(ofJapan, at);
    expect((await readText(ofJapan)).text).to.equal("請求書2024年度.txt\ntext\n");
    const damaged = Buffer.from(zip({ "a.txt": "first", "b.txt": "second" }));
    damaged[damaged.indexOf("first")] = 0x46;
    damaged[30 + "a.txt".length] = 0xff;
    expect((await readText(damaged)).text).to.equal("a.txt\nb.txt\nsecond\n");
  });

  it("are refused where they unpack to too much, whatever size they claim", async () => {
    const half = packed(Buffer.alloc(60_000_000));
    const hostile = [
      zipBomb(),
      lyingZipBomb(),
      zip({ "a.txt": half, "b.txt": half }),
      docxBomb(),
      zip({ "bomb.docx": docxBomb() }),
    ];
    for (const file of hostile) expect(await readReason(file)).to.equal("The file unpacks to more than 100 MB.");
  });

  it("are refused where they announce more files than anybody reads, before any is looked at", async () => {
    const many = Buffer.from(zip({ "a.txt": "text" }));
    const end = many.subarray(many.indexOf("PK\x05\x06"));
    const large = Buffer.alloc(76);
    large.write("PK\x06\x06", "latin1");
    large.writeBigUInt64LE(2n ** 40n, 32);
    large.write("PK\x06\x07", 56, "latin1");
    large.writeBigUInt64LE(BigInt(many.length - end.length), 64);
    const file = Buffer.concat([many.subarray(0, -end.length), large, end]);
    expect(await readReason(file)).to.equal("The archive holds more than 65536 files.");
  });

  it("are refused where they are encrypted or damaged", async () => {
    const file = zip({ "a.txt": "text" });
    const encrypted = zip({ "a.txt": "text" }, { isEncrypted: true });
    expect(await readReason(encrypted)).to.equal("The archive is encrypted.");
    const prefixed = Buffer.concat([Buffer.from("PK\x03\x04 unpacks itself"), file]);
    expect((await readText(prefixed)).text).to.equal("a.txt\ntext\n");
    for (const cutOff of [file.subarray(0, -10), file.subarray(0, 30)])
      expect(await readReason(cutOff, { mimeType: "application/zip" })).to.match(/^The archive is damaged: /);
    const strong = Buffer.from(encrypted);
    strong.writeUInt8(0x41, strong.indexOf("PK\x01\x02") + 8);
    expect(await readReason(strong)).to.equal("The file is encrypted.");
    const office = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
    expect(await readReason(docx("").subarray(0, 200), { mimeType: office })).to.equal(
      "The file is damaged: its ZIP directory cannot be read.",
    );
  });
});

describe("archives of other kinds", () => {
  it("are read as ZIP archives are: tar, packed by itself or not", async () => {
    const archive = tar({ "ordner/größe.txt": "Größe", "b.csv": "a;b" });
    for (const [bytes, name] of [
      [archive, "a.tar"],
      [gzipSync(archive), "a.tar.gz"],
      [gzipSync(archive), "a.tgz"],
    ] as const) {
      const { text, facts } = await readText(bytes, { name });
      expect(text, name).to.match(/(?:^|\n)ordner\/größe.txt\nGröße\nb.csv\na;b\n$/);
      expect(facts.truncated, name).to.equal(undefined);
    }
  });

  it("may be one file, which is called as the archive is", async () => {
    expect((await readText(gzipSync("Ein Brief"), { name: "brief.txt.gz" })).text).to.equal("brief.txt\nEin Brief\n");
  });

  it("are counted while they are unpacked", async () => {
    const bomb = gzipSync(Buffer.alloc(200_000_000));
    expect(await readReason(bomb, { name: "a.gz" })).to.equal("The file unpacks to more than 100 MB.");
  });

  it("are refused where nothing in them can be read", async () => {
    expect(await readReason(Buffer.from("377abcaf271c0004", "hex"), { name: "a.7z" })).to.match(/^The .* damaged: /);
  });

  it("may be ZIP archives with odd packing, or with bytes before and behind them", async () => {
    const file = zip({ "a.txt": "first", "b.txt": "second" });
    const surrounded = Buffer.concat([Buffer.from("\x01\x02\0\0a beginning"), file, Buffer.from("\n")]);
    expect((await readText(surrounded, { mimeType: "application/zip" })).text).to.equal(
      "a.txt\nfirst\nb.txt\nsecond\n",
    );
    expect((await readText(Buffer.concat([file, Buffer.from("\n")]))).text).to.equal("a.txt\nfirst\nb.txt\nsecond\n");
  });
});

/** A tar archive: a block of 512 bytes before each file, with a sum of its bytes, and two empty ones at the end. */
function tar(files: Readonly<Record<string, string>>): Buffer {
  const blocks = Object.entries(files).flatMap(([name, content]) => {
    const bytes = Buffer.from(content);
    const head = Buffer.alloc(512);
    head.write(name, 0);
    head.write("0000644\0", 100);
    head.write(`${bytes.length.toString(8).padStart(11, "0")}\0`, 124);
    head.write("00000000000\0", 136);
    head.write("        0", 148);
    head.write("ustar\x0000", 257);
    const sum = head.reduce((total, byte) => total + byte, 0);
    head.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    return [head, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1_024)]);
}
