import type { Extraction, TextExtractor } from "../../http/ports.js";
import { textFormatOf } from "../../shared/textFormat.js";
import { readerOf } from "./readers/readers.js";
import { UnreadableFile } from "./readers/reader.js";
import { UnstorableText } from "./readers/unstorableText.js";
import { whyUnreadable } from "./whyUnreadable.js";

const unread = {
  maxCharacters: Number.MAX_SAFE_INTEGER,
  ocr: null,
  unpacked: () => undefined,
  readInner: async () => null,
};

/**
 * Takes the text out of text media types: `text/*`, JSON, XML, Markdown, HTML. For others the reason says why there is
 * none.
 */
export const textMediaTypes: TextExtractor = {
  async extract({ mimeType, charset, bytes }) {
    const reader = textFormatOf(mimeType) === null ? null : await readerOf(mimeType);
    if (reader === null) return unextractable(whyUnreadable(mimeType));
    try {
      const { text } = await reader.read({ mimeType, charset, bytes, name: null }, unread);
      return { kind: "text", text };
    } catch (error) {
      if (error instanceof UnstorableText) return { kind: "unstorable" };
      if (error instanceof UnreadableFile) return unextractable(error.message);
      throw error;
    }
  },
};

const unextractable = (reason: string): Extraction => ({ kind: "unextractable", reason });
