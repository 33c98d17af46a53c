import { joinBrokenWords, joinLines } from "./hyphenation.js";
import { imageHeader, type ImageHeader } from "./ocr/imageHeader.js";
import { TextRecognizer } from "./ocr/textRecognizer.js";
import { hasWords } from "./plausibleText.js";
import { UnreadableFile, type FileText, type Reader } from "./reader.js";

/** An image of more takes too much memory, however few bytes it has. */
const mostMegapixels = 50;

/** Recognizes the text in an image, where that is wanted; else one that is there to its head is a file without text. */
export const image: Reader = {
  async read({ bytes }, { ocr }): Promise<FileText> {
    const header = imageHeader(bytes);
    if (header === null) throw damaged();
    if (ocr === null) return { text: "", facts: {} };
    checkSize(header);
    const recognizer = await TextRecognizer.open(ocr.languages);
    try {
      const text = recognizer.recognize(bytes);
      if (text === null) throw damaged();
      return hasWords(text)
        ? { text: joinBrokenWords(joinLines(text.split("\n"))), facts: { ocrUsed: true } }
        : { text: "", facts: {} };
    } finally {
      recognizer.close();
    }
  },
};

/** By what the head of the file says, before anything is decoded. */
function checkSize({ width, height }: ImageHeader): void {
  if (width * height > mostMegapixels * 1e6)
    throw new UnreadableFile(`The image has more than ${mostMegapixels} million pixels.`);
}

const damaged = (): UnreadableFile => new UnreadableFile("The image is damaged.");
