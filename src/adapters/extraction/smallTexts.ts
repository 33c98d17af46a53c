import type { FileToExtract, TextExtractor } from "../../../commands/ports.js";
import { textFormatOf } from "../../shared/textFormat.js";
import { looksLikeText } from "./detect/textContent.js";
import type { ReadingLimits } from "./readFile.js";

/** A text of this size takes the event loop less than handing it to another process. */
const smallBytes = 8_192;
/** Text by its characters, and another format all the same. */
const otherFormats = /^(?:%PDF|\{\\rtf)/;

/** Reads small texts at once, where it is, and leaves every other file to another extractor. */
export const smallTextsBefore = (others: TextExtractor, limits: ReadingLimits): TextExtractor => ({
  async extract(file, asker) {
    const bytes = smallText(file);
    if (bytes === null) return others.extract(file, asker);
    const { readFile } = await import("./readFile.js");
    return readFile({ ...file, bytes }, limits);
  },
});

/** The bytes of a small file that was declared as text and is text; null for any other. */
function smallText({ content, mimeType }: FileToExtract): Buffer | null {
  if (!(content instanceof Uint8Array) || content.byteLength > smallBytes) return null;
  if (mimeType === null || textFormatOf(mimeType) === null) return null;
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  return looksLikeText(bytes) && !otherFormats.test(bytes.toString("latin1", 0, 8)) ? bytes : null;
}
