import { expect } from "chai";
import { deepEmail } from "../../../support/files/hostile.js";
import { docx, paragraph } from "../../../support/files/office.js";
import { readReason, readText } from "../../../support/files/readings.js";
import { zip } from "../../../support/files/zip.js";

const head = [
  "From: =?utf-8?Q?J=C3=BCrgen?= <juergen@example.org>",
  "To: Ada <ada@example.org>, bob@example.org",
  "Cc: Team: eve@example.org;",
  "Subject: =?iso-8859-1?Q?Gr=F6=DFe?=",
  "Date: Wed, 01 May 2024 09:30:00 +0200",
  "MIME-Version: 1.0",
].join("\r\n");
const mail = (type: string, body: string): string => `${head}\r\nContent-Type: ${type}\r\n\r\n${body}`;
const multipart = (...parts: readonly string[]): string =>
  mail('multipart/mixed; boundary="b"', `${parts.map((part) => `--b\r\n${part}`).join("\r\n")}\r\n--b--\r\n`);
const attached = (name: string, type: string, bytes: Buffer): string =>
  `Content-Type: ${type}\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${bytes.toString("base64")}`;
const top = [
  "Größe",
  "Jürgen <juergen@example.org>",
  "Ada <ada@example.org>, bob@example.org",
  "eve@example.org",
  "2024-05-01T07:30:00.000Z",
];
const lines = async (file: Buffer | string, declared?: Parameters<typeof readText>[1]): Promise<readonly string[]> =>
  (await readText(file, declared)).text.split("\n").filter((line) => line.trim() !== "");

describe("emails", () => {
  it("are read with subject, people, date and body, and known by how they begin", async () => {
    const { text, facts } = await readText(mail("text/plain; charset=iso-8859-1", "Hello\r\n").replace("Hello", "Hi"));
    expect(text.split("\n")).to.deep.equal([...top, "Hi", ""]);
    expect(facts).to.deep.equal({
      mimeType: "message/rfc822",
      title: "Größe",
      author: "Jürgen <juergen@example.org>",
      createdAt: "2024-05-01T07:30:00.000Z",
    });
  });

  it("are read once where the body comes as text and as a page, and as a page where that is all", async () => {
    const alternatives =
      "--b\r\nContent-Type: text/plain\r\n\r\nPlain\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>Page</p>\r\n--b--";
    expect(await lines(mail("multipart/alternative; boundary=b", alternatives))).to.deep.equal([...top, "Plain"]);
    expect(await lines(mail("text/html", "<p>Only <b>page</b></p><style>no</style>"))).to.deep.equal([
      ...top,
      "Only page",
    ]);
  });

  it("are read with what is attached, and what is in that", async () => {
    const word = docx(paragraph("In Word"));
    const archive = zip({ "inside.txt": "In the archive" });
    const file = multipart(
      "Content-Type: text/plain\r\n\r\nBody",
      attached("plan.docx", "application/octet-stream", word),
      attached("files.zip", "application/zip", archive),
      attached("photo.jpg", "image/x-unheard-of", Buffer.from([1, 2, 3, 0])),
      attached("notes.txt", "text/plain", Buffer.from("Noted")),
    );
    expect(await lines(file)).to.deep.equal([
      ...[
        ...top,
        "Body",
        "plan.docx",
        "In Word",
        "files.zip",
        "inside.txt",
        "In the archive",
        "photo.jpg",
        "notes.txt",
        "Noted",
      ],
    ]);
  });

  it("are read where heads and bodies are in a code page that nobody named", async () => {
    const raw = "From: Jörg Müller <jm@example.org>\r\nSubject: Rückfrage zur Größe\r\n";
    const expected = ["Rückfrage zur Größe", "Jörg Müller <jm@example.org>", "Schöne Grüße"];
    const types = [
      "",
      "Content-Type: text/plain; charset=iso-8859-1\r\n",
      "Content-Type: text/plain; charset=x-unknown\r\n",
    ];
    for (const type of types)
      expect(await lines(Buffer.from(`${raw}${type}\r\nSchöne Grüße\r\n`, "latin1"), { name: "a.eml" })).to.deep.equal(
        expected,
      );
    const unknown = `${raw}Content-Type: text/plain; charset=x-unknown\r\n\r\nSchöne Grüße\r\n`;
    expect(await lines(unknown, { name: "a.eml" })).to.deep.equal(expected);
    const part = `Content-Type: text/plain; name="Größe.txt"\r\nContent-Disposition: attachment\r\n\r\nMaße`;
    const file = Buffer.from(multipart("Content-Type: text/plain\r\n\r\nGrüße", part), "latin1");
    expect(await lines(file)).to.deep.equal([...top, "Grüße", "Größe.txt", "Maße"]);
  });

  it("are read in UTF-16, and with what does not belong into a mail", async () => {
    for (const start of ["", "\ufeff"])
      expect(await lines(Buffer.from(start + mail("text/plain", "Größe"), "utf16le"))).to.deep.equal([...top, "Größe"]);
    const binary = Buffer.concat([Buffer.from(mail("text/plain", "Words")), Buffer.alloc(2_000, 1)]);
    expect((await readText(binary)).facts.mimeType).to.equal("message/rfc822");
  });

  it("are read with what a report says of a delivery, and with a part of a message", async () => {
    const report = multipart(
      "Content-Type: text/plain\r\n\r\nNot delivered",
      "Content-Type: message/delivery-status\r\n\r\nStatus: 5.1.1\r\nDiagnostic-Code: no such user",
      "Content-Type: message/rfc822\r\n\r\nSubject: Lost\r\nFrom: a@example.org\r\n\r\nWhat was lost",
      "Content-Type: message/partial; number=2\r\n\r\nthe rest of it",
    );
    const read = await lines(report);
    for (const line of ["Not delivered", "Diagnostic-Code: no such user", "Lost", "What was lost", "the rest of it"])
      expect(read.map((one) => one.trim())).to.include(line);
  });

  it("are refused where their parts are nested without end, or their headers are", async () => {
    expect(await readReason(deepEmail(head))).to.equal("The email cannot be read: its parts are nested too deep.");
    expect(await readReason(`${head}\r\nX-Long: ${"a".repeat(3_000_000)}\r\n\r\nend`)).to.match(
      /headers are too large/,
    );
  });
});
