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
const lines = async (file: string): Promise<readonly string[]> =>
  (await readText(file)).text.split("\n").filter((line) => line.trim() !== "");

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

  it("are refused where their parts are nested without end, or their headers are", async () => {
    expect(await readReason(deepEmail(head))).to.equal("The email cannot be read: its parts are nested too deep.");
    expect(await readReason(`${head}\r\nX-Long: ${"a".repeat(3_000_000)}\r\n\r\nend`)).to.match(
      /headers are too large/,
    );
  });
});
