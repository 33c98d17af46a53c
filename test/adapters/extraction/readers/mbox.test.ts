import { expect } from "chai";
import { docx, paragraph } from "../../../support/files/office.js";
import { readText } from "../../../support/files/readings.js";

const mail = (subject: string, body: string): string =>
  `From ada@example.org Mon Jul 20 01:01:07 2026\r\nFrom: ada@example.org\r\nSubject: ${subject}\r\nDate: Wed, 01 May 2024 09:30:00 +0200\r\n${body}\r\n`;
const plain = (subject: string, body: string): string => mail(subject, `\r\n${body}\r\n`);

describe("mailboxes", () => {
  const attached = `Content-Type: application/octet-stream; name="plan.docx"\r\nContent-Transfer-Encoding: base64\r\n\r\n${docx(paragraph("In Word")).toString("base64")}`;
  const mailbox = [
    plain("One", "Body one\r\nFrom here on\r\n>From there"),
    mail("Two", `Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n${attached}\r\n--b--\r\n`),
    plain("Three", "Body three"),
  ].join("");

  it("are read mail by mail, with what is attached, and known by how they begin", async () => {
    for (const declared of [{}, { name: "a.mbox" }, { mimeType: "message/rfc822" }, { mimeType: "application/mbox" }]) {
      const { text, facts } = await readText(mailbox, declared);
      const lines = text.split("\n").map((line) => line.trim());
      for (const line of ["One", "Body one", "From here on", "Two", "plan.docx", "In Word", "Three", "Body three"])
        expect(lines).to.include(line);
      expect(lines.filter((line) => line.startsWith("From ada"))).to.deep.equal([]);
      expect([facts.mimeType, facts.parts?.map(({ name }) => name)]).to.deep.equal(["application/mbox", ["plan.docx"]]);
    }
  });

  it("are read up to a bounded number of mails, and said to be cut", async () => {
    const { text, facts } = await readText(plain("Again", "Body").repeat(20_000));
    expect(facts.truncated).to.equal(true);
    expect(text.match(/Again/g)).to.have.length(1_000);
  });
});
