import { readFileSync } from "node:fs";
import { expect } from "chai";
import { bentJpeg, pngHead } from "../../../support/files/hostile.js";
import {
  bitmap,
  drawn,
  hasFonts,
  letter,
  letterText,
  scanned,
  tiff,
  turnedByExif,
} from "../../../support/files/scans.js";
import { readReason, readText } from "../../../support/files/readings.js";
import { wordScores } from "../../../support/files/wordScores.js";

const ocr = { ocrLanguages: ["deu", "eng"] };

describe("image", () => {
  it("has no text where none is recognized", async () => {
    expect(await readText(pngHead(50_000, 50_000))).to.deep.equal({ text: "", facts: { mimeType: "image/png" } });
  });

  it("has its text recognized, in German and English (skipped without fonts to draw it in)", async function () {
    if (!hasFonts) this.skip();
    const { text, facts } = await readText(scanned(letter, "image/jpeg"), ocr);
    const { recall, precision } = wordScores(letterText, text);
    expect([recall, precision], text).to.satisfy((scores: number[]) => scores.every((score) => score >= 0.9));
    expect(facts).to.deep.equal({ mimeType: "image/jpeg", ocrUsed: true });
  });

  it("is read as its camera says that it is turned, and on its side without a word (skipped without fonts)", async function () {
    if (!hasFonts) this.skip();
    const upsideDown = turnedByExif(scanned(letter, "image/jpeg", 180), 3);
    const onItsSide = scanned(letter, "image/png", 90);
    for (const picture of [upsideDown, onItsSide]) {
      const { text } = await readText(picture, ocr);
      expect(wordScores(letterText, text).recall, text).to.be.at.least(0.9);
    }
  });

  it("is read page by page, however a page is packed, for as long as there is time (skipped without fonts)", async function () {
    if (!hasFonts) this.skip();
    const pages = [letter.slice(0, 2), letter.slice(2)].map(drawn);
    const { text, facts } = await readText(tiff(pages), { ...ocr, timeoutMs: 100_000 });
    expect(wordScores(letterText, text).recall, text).to.be.at.least(0.9);
    expect(facts).to.deep.equal({ mimeType: "image/tiff", ocrUsed: true });
    const late = await readText(tiff(pages), { ...ocr, timeoutMs: 0 });
    expect([late.text, late.facts.unrecognizedPages]).to.deep.equal(["", 2]);
  });

  it("may be a HEIC, a WebP or a BMP (skipped without fonts)", async function () {
    if (!hasFonts) this.skip();
    const heic = readFileSync(new URL("../../../../../test/fixtures/images/letter.heic", import.meta.url));
    for (const [picture, mimeType] of [
      [heic, "image/heic"],
      [scanned(letter, "image/webp"), "image/webp"],
      [bitmap(drawn(letter)), "image/bmp"],
    ] as const) {
      const { text, facts } = await readText(picture, ocr);
      expect(wordScores(letterText, text).recall, `${mimeType} ${text}`).to.be.at.least(0.9);
      expect(facts.mimeType).to.equal(mimeType);
    }
  });

  it("is made smaller where it is larger than is of use (skipped without fonts)", async function () {
    if (!hasFonts) this.skip();
    const { text } = await readText(scanned(letter, "image/png", 0, 5), { ...ocr, timeoutMs: 100_000 });
    expect(wordScores(letterText, text).recall, text).to.be.at.least(0.9);
  });

  it("has no text where nothing is drawn", async () => {
    expect((await readText(scanned([], "image/png"), ocr)).text).to.equal("");
  });

  it("is refused by its head where it has too many pixels", async () => {
    expect(await readReason(pngHead(50_000, 50_000), ocr)).to.equal("The image has more than 50 million pixels.");
  });

  it("is refused where it is damaged", async () => {
    const jpeg = scanned(letter, "image/jpeg");
    const begun = [Buffer.from("GIF89a\x01"), Buffer.from("BM\0\0"), pngHead(10, 10).subarray(0, 8)];
    for (const damaged of [pngHead(10, 10), jpeg.subarray(0, 300), bentJpeg(), ...begun])
      expect(await readReason(damaged, { ...ocr, mimeType: "image/jpeg" })).to.equal("The image is damaged.");
    // Nobody looks at what follows the head where no text is to be recognized.
    for (const damaged of begun) expect(await readReason(damaged)).to.equal("The image is damaged.");
  });

  it("needs the data of its languages", async () => {
    expect(await readReason(scanned([], "image/png"), { ocrLanguages: ["tlh"] })).to.equal(
      "There is no data to recognize text in the language tlh." +
        " Install @tesseract.js-data/tlh, or leave it out of OCR_LANGUAGES.",
    );
  });
});
