import { expect } from "chai";
import { epub } from "../../../support/files/openDocument.js";
import { readReason, readText } from "../../../support/files/readings.js";

describe("books", () => {
  const chapters = { "kapitel%20b": "<h1>One</h1><p>Größe</p>", a: "<p>Two</p>" };

  it("are read chapter by chapter, without the table of contents", async () => {
    const metadata =
      "<dc:title>The Book</dc:title><dc:creator>Ada</dc:creator><dc:language>de</dc:language><dc:date>2024-05-01</dc:date>";
    const { text, facts } = await readText(epub({ one: chapters["kapitel%20b"], a: chapters.a }, metadata));
    expect(text).to.equal("One\n\nGröße\nTwo\n");
    expect(facts).to.deep.equal({
      mimeType: "application/epub+zip",
      title: "The Book",
      author: "Ada",
      language: "de",
      createdAt: "2024-05-01T00:00:00.000Z",
    });
  });

  it("are refused where their chapters are encrypted, and not where only fonts are", async () => {
    const encrypted = (part: string) => ({
      "META-INF/encryption.xml": `<encryption><CipherReference URI="${part}"/></encryption>`,
    });
    expect(await readReason(epub(chapters, "", encrypted("OPS/text/a.xhtml")))).to.equal("The book is encrypted.");
    expect((await readText(epub(chapters, "", encrypted("OPS/fonts/a.ttf")))).text).to.contain("Two");
  });
});
