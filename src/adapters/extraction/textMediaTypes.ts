import type { Extraction, TextExtractor } from "../../http/ports.js";
import { textFormatOf, type TextFormat } from "../../shared/textFormat.js";
import { isUnstorable } from "../../shared/storableText.js";
import { decodeText } from "./decodeText.js";

const htmlCharset = /<meta[^>]+charset\s*=\s*["']?\s*([\w.:-]+)/i;
const xmlEncoding = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]+)["']/i;

/**
 * Takes the text out of text media types: `text/*`, JSON, XML, Markdown, HTML. For others the reason says why there is
 * none.
 */
export const textMediaTypes: TextExtractor = {
  async extract(request) {
    const format = textFormatOf(request.mimeType);
    if (format === null)
      return unextractable(`Text cannot be extracted from ${request.mimeType}. Send the text itself as text_content.`);
    const decoded = decodeText(
      request.bytes,
      request.charset,
      format === "html" ? htmlCharset : format === "xml" ? xmlEncoding : null,
    );
    if (decoded.ok) return convert(format, decoded.text);
    return decoded.isUnstorable === true
      ? { kind: "unstorable" }
      : unextractable(`No text could be extracted. ${decoded.reason}`);
  },
};

async function convert(format: TextFormat, text: string): Promise<Extraction> {
  switch (format) {
    case "plain":
      return { kind: "text", text };
    case "json":
      return storable(jsonToText(text));
    case "xml": {
      const { xmlToText } = await markup();
      return { kind: "text", text: xmlToText(text) };
    }
    case "html":
      return convertHtml(text);
  }
}

/** Escapes in JSON can write characters that no decoding lets pass. */
const storable = (text: string): Extraction => (isUnstorable(text) ? { kind: "unstorable" } : { kind: "text", text });

/** Taking markup apart is loaded with the first document that has some: most processes start without. */
const markup = () => import("./markup.js");

async function convertHtml(html: string): Promise<Extraction> {
  const { htmlToText } = await markup();
  try {
    const text = htmlToText(html);
    return text === null
      ? unextractable(
          "The page has too many elements for its text to be extracted. Send the text itself as text_content.",
        )
      : { kind: "text", text };
  } catch {
    return unextractable("The page could not be read as HTML.");
  }
}

/** Keys and values, one per line. Text that is not one JSON value (comments, several values) is taken as it stands. */
function jsonToText(text: string): string {
  const lines: string[] = [];
  try {
    // The reviver sees every key and value without recursion of our own.
    JSON.parse(text, function (this: unknown, key: string, value: unknown) {
      if (key !== "" && !Array.isArray(this)) lines.push(key);
      if (value !== null && typeof value !== "object") lines.push(String(value));
      return null;
    });
  } catch {
    return text;
  }
  return lines.join("\n");
}

const unextractable = (reason: string): Extraction => ({ kind: "unextractable", reason });
