import { joinBrokenWords, joinLines } from "./hyphenation.js";
import { imageHeader } from "./ocr/imageHeader.js";
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
  let left = countPictures(bytes, mimeType);
  try {
    for await (const { file, ...said } of picturesIn(bytes, mimeType)) {
      if (!recognizer.hasTimeUntil(ocr.untilMs)) break;
      const text = recognizer.recognize(file, said);
      if (text !== null) left -= 1;
      if (text !== null && hasWords(text)) pages.push(joinLines(text.split("\n")));
    }
  } finally {
    recognizer.close();
  }
  if (left > 0 && recognizer.hasTimeUntil(ocr.untilMs) && pages.length === 0)
    throw new UnreadableFile("The image is damaged.");
  return {
    text: joinBrokenWords(pages.join("\n")),
    facts: { ...(pages.length > 0 ? { ocrUsed: true } : {}), ...(left > 0 ? { unrecognizedPages: left } : {}) },
  };
}
