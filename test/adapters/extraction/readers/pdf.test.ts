import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { expect } from "chai";
import { array, assert, asyncProperty, nat, oneof, tuple, type Arbitrary } from "fast-check";
import { loopingPdf } from "../../../support/files/hostile.js";
import { read, readReason, readText } from "../../../support/files/readings.js";
import { drawn, drawnCodes, PdfMaker, pdfOfLines } from "../../../support/files/pdfs.js";
import { hasFonts, letter, letterText, scanned } from "../../../support/files/scans.js";
import { wordScores } from "../../../support/files/wordScores.js";
import { propertyRuns } from "../../../support/propertyRuns.js";
import { repositoryRoot } from "../../../support/repositoryFiles.js";

const fixture = (name: string): Buffer => readFileSync(join(repositoryRoot, "test/fixtures/pdf", `${name}.pdf`));

/** Changes a few bytes of a file of this length, cuts it, or leaves out a part. */
const damage = (length: number): Arbitrary<(whole: Buffer) => Buffer> => {
  const place = nat(length - 1);
  return oneof(
    array(tuple(place, nat(255)), { minLength: 1, maxLength: 20 }).map((changes) => (whole: Buffer) => {
      const changed = Buffer.from(whole);
      for (const [at, byte] of changes) changed[at] = byte;
      return changed;
    }),
    place.map((end) => (whole: Buffer) => whole.subarray(0, end)),
    tuple(place, place).map(
      ([one, other]) =>
        (whole: Buffer) =>
          Buffer.concat([whole.subarray(0, Math.min(one, other)), whole.subarray(Math.max(one, other))]),
    ),
  );
};

const builtIn = {
  ...{ JSON, Math, Object, Array, String, RegExp, Promise, Map, Set },
  ...{ "Array.prototype": Array.prototype, "String.prototype": String.prototype, "Map.prototype": Map.prototype },
  ...{ "Promise.prototype": Promise.prototype, "RegExp.prototype": RegExp.prototype, "Set.prototype": Set.prototype },
  ...{ "Object.prototype": Object.prototype, "Function.prototype": Function.prototype },
};

/** Functions that JavaScript has and something has replaced in this process, which is told by a context of its own. */
function replacedFunctions(): readonly string[] {
  const sourceOf = runInNewContext("(held) => Function.prototype.toString.call(held)") as (held: unknown) => string;
  return Object.entries(builtIn).flatMap(([path, object]) =>
    (runInNewContext(`Object.getOwnPropertyNames(${path})`) as readonly string[])
      .filter((name) => {
        const held: unknown = Object.getOwnPropertyDescriptor(object, name)?.value;
        return typeof held === "function" && !sourceOf(held).includes("[native code]");
      })
      .map((name) => `${path}.${name}`),
  );
}

describe("pdf", () => {
  it("reads the lines of its pages, and what it says of itself", async () => {
    const maker = new PdfMaker().about(
      "/Title (Quartalsbericht) /Author (Erika Muster) /CreationDate (D:20240131235959+01'00') /ModDate (D:2025)",
    );
    maker.catalog = "<< /Type /Catalog /Pages 2 0 R /Lang (de-DE) >>";
    const font = maker.addStandardFont();
    maker.addPage(drawn(["Umsatz je Gesch\u00e4ftsbereich", "steigt weiter"]), { F1: font });
    maker.addPage(drawn(["Ausblick"]), { F1: font });

    expect(await readText(maker.make())).to.deep.equal({
      text: "Umsatz je Geschäftsbereich\nsteigt weiter\nAusblick",
      facts: {
        mimeType: "application/pdf",
        title: "Quartalsbericht",
        author: "Erika Muster",
        language: "de",
        pageCount: 2,
        createdAt: "2024-01-31T22:59:59.000Z",
        modifiedAt: "2025-01-01T00:00:00.000Z",
      },
    });
  });

  it("makes one word of what is broken at the end of a line or page", async () => {
    const { text } = await readText(
      pdfOfLines(["Der Donaudampf-", "schiffskapit\u00e4n f\u00e4hrt ab-"], ["w\u00e4rts"]),
    );
    expect(text).to.equal("Der Donaudampfschiffskapitän fährt abwärts");
  });

  it("has gaps as spaces and columns of one line on one line", async () => {
    const content = "BT /F1 11 Tf 60 780 Td [(Tele) 20 (fon) -400 (intern)] TJ 200 0 Td (4711) Tj ET";
    const maker = new PdfMaker();
    maker.addPage(content, { F1: maker.addStandardFont() });
    expect((await readText(maker.make())).text).to.equal("Telefon intern 4711");
  });

  it("reads ligatures and signs as a table of characters in the file tells them", async () => {
    const maker = new PdfMaker();
    const table = maker.addStream(
      "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def\n" +
        "1 begincodespacerange <0000> <ffff> endcodespacerange\n" +
        "4 beginbfchar <0001> <FB00> <0002> <0053> <0003> <0074> <0004> <006F> endbfchar\nendcmap end end",
    );
    const font = maker.addForeignFont("Identity-H", "Adobe-Identity", `/ToUnicode ${table} 0 R`);
    maker.addPage(drawnCodes(Buffer.from([0, 2, 0, 3, 0, 4, 0, 1])), { F1: font });
    expect((await readText(maker.make())).text).to.equal("Stoff");
  });

  it("reads Chinese and Japanese in fonts that are not in the file", async () => {
    const maker = new PdfMaker();
    const chinese = maker.addForeignFont("UniGB-UCS2-H", "Adobe-GB1");
    const japanese = maker.addForeignFont("90ms-RKSJ-H", "Adobe-Japan1");
    maker.addPage(drawnCodes(Buffer.from("安装手册", "utf16le").swap16()), { F1: chinese });
    maker.addPage(drawnCodes(Buffer.from("93fa967b8cea", "hex")), { F1: japanese });
    expect((await readText(maker.make())).text).to.equal("安装手册\n日本語");
  });

  it("takes the text of a font that does not tell its characters for none", async () => {
    const maker = new PdfMaker();
    // Glyphs are numbered from the space on, three higher than in ASCII, as programs do that embed a part of a font.
    const codes = [..."This is a text that nobody can read, since its font does not tell."].flatMap((sign) => [
      0,
      sign.charCodeAt(0) - 29,
    ]);
    const font = maker.addForeignFont("Identity-H", "Adobe-Identity");
    maker.addPage(drawnCodes(Buffer.from(codes)), { F1: font });
    maker.addPage(drawn(["A page that can be read"]), { F1: maker.addStandardFont() });
    expect((await readText(maker.make())).text).to.equal("A page that can be read");
  });

  it("asks for no words where a font tells its characters", async () => {
    const lines = ["d41d8cd98f00b204e9800998ecf8427e", "X7K9Q-2M4PT-88RRT-KLP23", "getUserName setUserName GitHub"];
    expect((await readText(pdfOfLines(lines))).text).to.equal(lines.join("\n"));
  });

  it("keeps the lines of a page that can be read, where others cannot", async () => {
    const maker = new PdfMaker();
    const font = maker.addForeignFont("Identity-H", "Adobe-Identity");
    const codes = [..."Nobody can read these words"].flatMap((sign) => [0, sign.charCodeAt(0) - 29]);
    const unread = drawnCodes(Buffer.from(codes), "F2").replace("60 780", "60 500");
    maker.addPage(`${drawn(["Hello"])} ${unread}`, { F1: maker.addStandardFont(), F2: font });
    expect((await readText(maker.make())).text).to.equal("Hello");
  });

  const ofContent = (content: string): Buffer => {
    const maker = new PdfMaker();
    const fonts = { F1: maker.addStandardFont(), F2: maker.addStandardFont("Courier") };
    return maker.addPage(`BT /F1 10 Tf ${content} ET`, fonts).make();
  };

  it("has bold letters once that are drawn twice, as a whole or one by one", async () => {
    const place = (x: number, y: number, text: string): string => `1 0 0 1 ${x} ${y} Tm (${text}) Tj`;
    const whole = `${place(60, 780, "Rechnung")} ${place(60.3, 780.2, "Rechnung")}`;
    const letters = [..."BOLD TEXT"].map((sign, at) => [60 + at * 6, sign] as const);
    const one = letters.map(([x, sign]) => `${place(x, 760, sign)} ${place(x + 0.3, 760, sign)}`).join(" ");
    const later = `${place(60, 740, "Anna")} ${place(60, 720, "Otto")} ${place(60.3, 740, "Anna")}`;
    expect((await readText(ofContent(`${whole} /F2 10 Tf ${one} ${later}`))).text).to.equal(
      "Rechnung\nBOLD TEXT\nAnna\nOtto",
    );
  });

  it("keeps cells apart that are drawn from right to left", async () => {
    const row = "1 0 0 1 400 780 Tm (1200.00) Tj 1 0 0 1 200 780 Tm (DIRECTOR) Tj 1 0 0 1 50 780 Tm (SCHMIDT) Tj";
    expect((await readText(ofContent(row))).text).to.equal("1200.00 DIRECTOR SCHMIDT");
  });

  it("puts letters of a second font where they stand", async () => {
    const gaps = "/F2 10 Tf 1 0 0 1 60 780 Tm (H p d ng) Tj";
    const letters = "/F1 10 Tf 1 0 0 1 66 780 Tm (o) Tj 1 0 0 1 90 780 Tm (u) Tj";
    expect((await readText(ofContent(`${gaps} ${letters}`))).text).to.equal("Hop dung");
  });

  it("takes letters that are spaced out for words", async () => {
    expect((await readText(ofContent("3 Tc 60 780 Td (Sperrung und) Tj"))).text).to.equal("Sperrung und");
  });

  it("makes one letter of what an accent is drawn over", async () => {
    const over = "60 780 Td [(M\\250) 333 (uller)] TJ";
    expect((await readText(ofContent(over))).text).to.equal("Müller");
  });

  it("reads Arabic from right to left, with numbers and Latin words in it", async () => {
    const maker = new PdfMaker();
    const visual = [..."\u0629\u064a\u0628\u0631\u0639\u0644\u0627 GmbH 42 \u0639\u0627\u0648\u0646\u0627"];
    const table = maker.addStream(
      "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def\n" +
        "1 begincodespacerange <0000> <ffff> endcodespacerange\n" +
        "1 beginbfrange <0000> <ffff> <0000> endbfrange\nendcmap end end",
    );
    const font = maker.addForeignFont("Identity-H", "Adobe-Identity", `/ToUnicode ${table} 0 R`);
    maker.addPage(drawnCodes(Buffer.from(visual.join(""), "utf16le").swap16()), { F1: font });
    const logical = "\u0627\u0646\u0648\u0627\u0639 GmbH 42 \u0627\u0644\u0639\u0631\u0628\u064a\u0629";
    expect((await readText(maker.make())).text).to.equal(logical);
  });

  describe("with fields and notes", () => {
    const shown = (text: string): string => `BT /F1 10 Tf 2 5 Td (${text}) Tj ET`;
    const withAnnotations = (add: (maker: PdfMaker) => unknown): Buffer => {
      const maker = new PdfMaker();
      add(maker);
      return maker.addPage(drawn(["Antrag"]), { F1: maker.addStandardFont() }).make();
    };

    it("reads each text once: as it is shown, else as it is kept", async () => {
      const { text } = await readText(
        withAnnotations((maker) =>
          maker
            .addAnnotation("/Subtype /Widget /FT /Tx /T (name) /V (Erika Mustermann)", shown("Erika Mustermann"))
            .addAnnotation("/Subtype /Widget /FT /Tx /T (place) /V (Bremen)")
            .addAnnotation("/Subtype /Widget /FT /Ch /T (kind) /Opt [[(a) (Neu)] [(b) (Alt)]] /V (b)")
            .addAnnotation("/Subtype /FreeText /DA (/Helv 10 Tf) /Contents (Bitte eilig)", shown("Bitte eilig"))
            .addAnnotation("/Subtype /Text /Contents (Noch offen)")
            .addAnnotation("/Subtype /Popup /Contents (Noch offen)"),
        ),
      );
      expect(text.split("\n")).to.have.members([
        "Antrag",
        "Erika Mustermann",
        "Bremen",
        "Alt",
        "Bitte eilig",
        "Noch offen",
      ]);
    });

    it("reads no hidden field, no password and no link", async () => {
      const { text } = await readText(
        withAnnotations((maker) =>
          maker
            .addAnnotation("/Subtype /Widget /FT /Tx /T (h) /F 2 /V (verborgen)", shown("verborgen"))
            .addAnnotation("/Subtype /Widget /FT /Tx /T (p) /Ff 8192 /V (geheim)", shown("geheim"))
            .addAnnotation("/Subtype /Link /Contents (Ziel) /A << /S /URI /URI (https://example.com) >>"),
        ),
      );
      expect(text).to.equal("Antrag");
    });

    it("has the files in it as parts, those of notes, too, each once", async () => {
      const maker = new PdfMaker();
      const [ofAll, ofNote] = [maker.addFile("daten.csv", "Menge,7"), maker.addFile("notiz.txt", "Anlage zur Notiz")];
      maker.catalog = `<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles << /Names [(d) ${ofAll} 0 R] >> >> >>`;
      for (const file of [ofNote, ofNote, ofAll]) maker.addAnnotation(`/Subtype /FileAttachment /FS ${file} 0 R`);
      maker.addPage(drawn(["Antrag"]), { F1: maker.addStandardFont() });
      const { text, facts } = await readText(maker.make());
      expect(facts.parts?.map(({ name }) => name)).to.deep.equal(["daten.csv", "notiz.txt"]);
      expect(text).to.match(/^Antrag\ndaten\.csv\nMenge.*\nnotiz\.txt\nAnlage zur Notiz\n?$/);
    });
  });

  it("reads what is filled in a form in XML, not that another program is wanted", async () => {
    const maker = new PdfMaker();
    const template =
      '<template xmlns="http://www.xfa.org/schema/xfa-template/3.3/"><subform name="form" layout="tb"><pageSet>' +
      '<pageArea><contentArea w="500pt" h="700pt"/><medium short="595pt" long="842pt"/></pageArea></pageSet>' +
      '<field name="person" w="200pt" h="20pt"><ui><textEdit/></ui><caption><value><text>Name</text></value></caption>' +
      "</field></subform></template>";
    const data =
      '<xfa:datasets xmlns:xfa="http://www.xfa.org/schema/xfa-data/1.0/"><xfa:data><form><person>Erika Mustermann' +
      "</person></form></xfa:data></xfa:datasets>";
    const whole = maker.addStream(`<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/">${template}${data}</xdp:xdp>`);
    maker.catalog = `<< /Type /Catalog /Pages 2 0 R /NeedsRendering true /AcroForm << /XFA ${whole} 0 R /Fields [] /DR << /Font << >> >> >> >>`;
    maker.addPage(drawn(["Please wait..."]), { F1: maker.addStandardFont() });
    expect((await readText(maker.make())).text.split("\n")).to.have.members(["Name", "Erika Mustermann"]);
  });

  it("opens a file whose attachments alone are encrypted, and one whose form in XML is damaged", async () => {
    const maker = new PdfMaker();
    const encryption = maker.add(
      "<< /Filter /Standard /V 4 /R 4 /Length 128 /P -4 /O <00> /U <00> /StmF /Identity /StrF /Identity" +
        " /EFF /StdCF /CF << /StdCF << /AuthEvent /EFOpen /CFM /AESV2 /Length 16 >> >> >>",
    );
    const encrypted = maker
      .addPage(drawn(["Open"]), { F1: maker.addStandardFont() })
      .make()
      .toString("latin1");
    const named = encrypted.replace(/trailer\n<< /, `$&/Encrypt ${encryption} 0 R /ID [<00> <00>] `);
    expect((await readText(Buffer.from(named, "latin1"))).text).to.equal("Open");

    const broken = new PdfMaker();
    const form = broken.addStream("<xdp:xdp xmlns:xdp='http://ns.adobe.com/xdp/'><template/></xdp:xdp>");
    broken.catalog = `<< /Type /Catalog /Pages 2 0 R /NeedsRendering true /AcroForm << /XFA ${form} 0 R >> >>`;
    broken.addPage(drawn(["Please wait..."]), { F1: broken.addStandardFont() });
    expect((await readText(broken.make())).text).to.equal("Please wait...");
  });

  it("takes no address, file name or word of a program for a title", async () => {
    const titleOf = async (title: string) =>
      (await readText(new PdfMaker().about(`/Title (${title})`).addPage("", {}).make())).facts.title;
    for (const none of [
      "file:///VBOXSVR/shared/empty.html",
      "Untitled",
      "Microsoft Word - Bericht.docx",
      "C:\\\\tmp\\\\a",
    ])
      expect(await titleOf(none), none).to.equal(undefined);
    expect(await titleOf("Microsoft Word - Bericht")).to.equal("Bericht");
    expect(await titleOf("Untypisch")).to.equal("Untypisch");
  });

  it("has no text for a file without a text layer, and still its facts", async () => {
    const maker = new PdfMaker().about("/Title (Scan)");
    maker.addPage("0 0 100 100 re f", {});
    expect(await readText(maker.make())).to.deep.equal({
      text: "",
      facts: { mimeType: "application/pdf", title: "Scan", pageCount: 1 },
    });
  });

  it("has text recognized in pages that have none (skipped without fonts to draw it in)", async function () {
    if (!hasFonts) this.skip();
    const maker = new PdfMaker();
    maker.addPage(drawn(["Das Deckblatt"]), { F1: maker.addStandardFont() });
    maker.addScan(scanned(letter, "image/jpeg"), 700, 196).addPage("", {});
    const scan = maker.make();

    const { text, facts } = await readText(scan, { ocrLanguages: ["deu", "eng"] });
    expect(text.split("\n")[0]).to.equal("Das Deckblatt");
    expect(wordScores(letterText, text).recall, text).to.be.at.least(0.9);
    expect(facts).to.include({ ocrUsed: true, pageCount: 3 }).and.not.have.property("truncated");

    const unread = await readText(scan, { ocrLanguages: ["deu"], timeoutMs: 0 });
    expect([unread.text, unread.facts.ocrUsed, unread.facts.unrecognizedPages]).to.deep.equal([
      "Das Deckblatt",
      undefined,
      2,
    ]);
    expect((await readText(scan)).text).to.equal("Das Deckblatt");
  });

  it("stops where there is more text than wanted", async () => {
    const pages = Array.from({ length: 30 }, (_, at) => ["So much on every page", `of ${at}`]);
    const { text, facts } = await readText(pdfOfLines(...pages), { maxCharacters: 100 });
    expect(text.length).to.be.within(50, 100);
    expect(facts.truncated).to.equal(true);
  });

  it("tells what is no PDF that anybody could open", async () => {
    expect(await readReason(Buffer.from("%PDF-1.7\nnothing more"))).to.equal("The PDF is damaged.");
  });

  it("opens a file that is only protected from changes, and no other that is encrypted", async () => {
    expect((await readText(fixture("ownerPassword"))).text).to.equal("Nur gegen Änderungen geschützt");
    expect(await readReason(fixture("userPassword"))).to.equal("The PDF is encrypted.");
  });

  it("reads signs that are drawn far apart without filling what lies between", async () => {
    for (const content of ["100000000 Tc (ab ab) Tj", "[(ab) -99999999999 (ab)] TJ", "99999999 Tz (ab ab) Tj"]) {
      const maker = new PdfMaker();
      maker.addPage(`BT /F1 11 Tf 60 780 Td ${content} ET`, { F1: maker.addStandardFont() });
      expect((await readText(maker.make())).text.length).to.be.below(10);
    }
  });

  it("reads a damaged file, or tells that it is damaged", async () => {
    const maker = new PdfMaker().about("/Title (Bericht)");
    maker.addPage(drawn(["Some text on a page,", "in two lines"]), { F1: maker.addStandardFont() });
    const whole = maker.make();
    await assert(
      asyncProperty(damage(whole.length), async (change) => {
        const extraction = await read(change(whole), { mimeType: "application/pdf" });
        if (extraction.kind === "unextractable")
          // Changed at its very beginning it may say that it is of another kind.
          expect(extraction.reason).to.match(
            /^The PDF is (?:damaged|encrypted)\.$|^Text cannot be extracted from (?!application\/pdf)/,
          );
      }),
      propertyRuns(1_000),
    );
  });

  it("ends with a tree of pages that leads back to itself", async () => {
    expect(await readReason(loopingPdf())).to.equal("The PDF is damaged.");
  });

  it("reads what there is of a file that claims a billion pages", async () => {
    const maker = new PdfMaker();
    const font = maker.addStandardFont();
    maker.addPage(drawn(["The only page"]), { F1: font });
    maker.pageTree = `<< /Type /Pages /Kids [${font + 2} 0 R] /Count 1000000000 >>`;
    expect((await readText(maker.make())).text).to.equal("The only page");
  });

  it("leaves the functions that JavaScript has as they are", async () => {
    await readText(pdfOfLines(["A line"]));
    expect(replacedFunctions()).to.deep.equal([]);
  });
});
