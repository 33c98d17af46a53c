import { joinBrokenWords, joinLines } from "./hyphenation.js";
import { imageHeader } from "./ocr/imageHeader.js";
import { inTime } from "./ocr/inTime.js";
import { hasWords } from "./plausibleText.js";
import { UnreadableFile, type FileText, type OcrTerms, type Reader } from "./reader.js";

/**
 * Recognizes the text in an image, where that is wanted, page by page for as long as there is time; else one that is
 * there to its head is a file without text.
 */
export const image: Reader = {
  async read({ bytes, mimeType }, { ocr }): Promise<FileText> {
    if (imageHeader(bytes) === null) throw new UnreadableFile("The image is damaged.");
    return ocr === null ? { text: "", facts: {} } : recognized(bytes, mimeType, ocr);
  },
};

async function recognized(bytes: Buffer, mimeType: string, ocr: OcrTerms): Promise<FileText> {
  const [{ countPictures, picturesIn }, { TextRecognizer }] = await Promise.all([
    import("./ocr/pictures.js"),
    import("./ocr/textRecognizer.js"),
  ]);
  const recognizer = await TextRecognizer.open(ocr.languages);
  const pages: string[] = [];
  const all = countPictures(bytes, mimeType);
  let [begun, read] = [0, 0];
  try {
    for await (const { file, ...said } of inTime(picturesIn(bytes, mimeType), ocr.untilMs)) {
      begun += 1;
      const text = recognizer.recognize(file, said);
      if (text !== null) read += 1;
      if (text !== null && hasWords(text)) pages.push(joinLines(text.split("\n")));
    }
  } finally {
    recognizer.close();
  }
  if (begun === all && read < all && pages.length === 0) throw new UnreadableFile("The image is damaged.");
  return {
    text: joinBrokenWords(pages.join("\n")),
    facts: { ...(pages.length > 0 ? { ocrUsed: true } : {}), ...(read < all ? { unrecognizedPages: all - read } : {}) },
  };
}
