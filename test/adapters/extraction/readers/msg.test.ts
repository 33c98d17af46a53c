import { expect } from "chai";
import iconv from "iconv-lite";
import { docx, paragraph } from "../../../support/files/office.js";
import { compressedRtf as compressedRtfOf, outlookMessage } from "../../../support/files/outlook.js";
import { readReason, readText } from "../../../support/files/readings.js";

/** Tags of properties, as Outlook numbers them. */
const [subject, senderName, senderAddress, body] = ["0037", "0C1A", "5D01", "1000"];
const [html, compressedRtf, displayName, smtpAddress] = ["1013", "1009", "3001", "39FE"];
const [attachmentName, attachmentData] = ["3707", "3701"];
const [recipientType, submitted] = [0x0c15, 0x0039];

const head = { [subject]: "Größe", [senderName]: "Jürgen", [senderAddress]: "juergen@example.org" };
const recipients = [
  { texts: { [displayName]: "Ada", [smtpAddress]: "ada@example.org" }, numbers: { [recipientType]: 1 } },
  { texts: { [displayName]: "bob@example.org", [smtpAddress]: "bob@example.org" }, numbers: { [recipientType]: 2 } },
];
const top = ["Größe", "Jürgen <juergen@example.org>"];
const lines = async (file: Buffer): Promise<readonly string[]> =>
  (await readText(file)).text.split("\n").filter((line) => line.trim() !== "");

describe("messages of Outlook", () => {
  it("are read with subject, people, date, body, and what is attached", async () => {
    const message = {
      texts: { ...head, [body]: "Hello,\r\n\r\nAda" },
      times: { [submitted]: new Date("2024-05-01T07:30:00Z") },
    };
    const attachments = [
      { texts: { [attachmentName]: "plan.docx" }, bytes: { [attachmentData]: docx(paragraph("In Word")) } },
      { texts: { [attachmentName]: "photo.bin" }, bytes: { [attachmentData]: Buffer.from([1, 2, 0]) } },
    ];
    const file = outlookMessage(message, recipients, attachments);
    expect((await lines(file)).map((line) => line.trim())).to.deep.equal([
      ...[...top, "Ada <ada@example.org>", "bob@example.org", "2024-05-01T07:30:00.000Z"],
      ...["Hello,", "Ada", "plan.docx", "In Word", "photo.bin"],
    ]);
    const { parts, ...facts } = (await readText(file)).facts;
    expect(parts?.map(({ name, unread }) => [name, unread === undefined])).to.deep.equal([
      ["plan.docx", true],
      ["photo.bin", false],
    ]);
    expect(facts).to.deep.equal({
      mimeType: "application/vnd.ms-outlook",
      title: "Größe",
      author: "Jürgen <juergen@example.org>",
      createdAt: "2024-05-01T07:30:00.000Z",
    });
  });

  it("are read from a page or from rich text where there is no plain body", async () => {
    const page = outlookMessage({ texts: head, bytes: { [html]: Buffer.from("<p>Only <b>Größe</b></p>") } });
    expect(await lines(page)).to.deep.equal([...top, "Only Größe"]);
    const rich = "{\\rtf1\\ansi\\fromhtml1 {\\*\\htmltag64 <p>}Rich {\\*\\htmltag84 <b>}text\\htmlrtf\\par\\htmlrtf0}";
    expect(
      await lines(outlookMessage({ texts: head, bytes: { [compressedRtf]: compressedRtfOf(rich) } })),
    ).to.deep.equal([...top, "Rich text"]);
  });

  it("are read in their code page where their texts are not Unicode, or in the one they look like", async () => {
    const [messageCodePage, internetCodePage] = [0x3ffd, 0x3fde];
    const words = "出張旅費は帰着後に精算します。";
    const japanese = { [subject]: iconv.encode(words, "cp932"), [body]: iconv.encode(words, "cp932") };
    for (const numbers of [{ [messageCodePage]: 932 }, { [internetCodePage]: 50_220 }, {}])
      expect(await lines(outlookMessage({ ansi: japanese, numbers }))).to.deep.equal([words, words]);
    const german = { [subject]: iconv.encode("Größe", "cp1252") };
    for (const numbers of [{ [messageCodePage]: 1_252 }, { [internetCodePage]: 28_591 }, {}])
      expect(await lines(outlookMessage({ ansi: german, numbers }))).to.deep.equal(["Größe"]);
  });

  it("are read where their last sector is not filled", async () => {
    const file = outlookMessage({ texts: { ...head, [body]: "The end" } });
    let end = file.length;
    while (file[end - 1] === 0) end--;
    expect(await lines(file.subarray(0, end))).to.include("The end");
  });

  it("are refused where they are damaged, or a body claims more than there is", async () => {
    const claim = compressedRtfOf("{\\rtf1 text}");
    claim.writeUInt32LE(2_000_000_000, 0);
    const hostile = outlookMessage({ texts: head, bytes: { [compressedRtf]: claim } });
    expect(await readReason(hostile)).to.match(/its body cannot be unpacked/);
    const file = outlookMessage({ texts: { ...head, [body]: "text" } }, recipients);
    expect(await readReason(file.subarray(0, 600), { mimeType: "application/vnd.ms-outlook" })).to.match(/damaged/);
  });
});
