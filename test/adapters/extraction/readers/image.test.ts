import { expect } from "chai";
import { bentJpeg, pngHead } from "../../../support/files/hostile.js";
import { hasFonts, letter, letterText, scanned } from "../../../support/files/scans.js";
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
