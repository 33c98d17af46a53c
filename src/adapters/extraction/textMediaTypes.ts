import type { Extraction, ExtractionRequest, TextExtractor } from "../../http/ports.js";
import { decodeText } from "./decodeText.js";

type Format = "plain" | "html" | "xml" | "json";

const htmlCharset = /<meta[^>]+charset\s*=\s*["']?\s*([\w.:-]+)/i;
const xmlEncoding = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]+)["']/i;

/** Text that is not under `text/`. */
const plainTypes: ReadonlySet<string> = new Set([
  "application/javascript",
  "application/x-javascript",
  "application/sql",
  "application/toml",
  "application/x-ndjson",
  "application/x-sh",
  "application/x-yaml",
  "application/yaml",
]);
/** Media types under `text/` with a format of their own that hides the text. */
const otherFormats: ReadonlySet<string> = new Set(["text/rtf", "text/richtext"]);

/**
 * Takes the text out of text media types: `text/*`, JSON, XML, Markdown, HTML. For others the reason says why there is
 * none.
 */
export const textMediaTypes: TextExtractor = {
  async extract(request) {
    const format = formatOf(request.mimeType);
    if (format === null)
      return unextractable(`Text cannot be extracted from ${request.mimeType}. Send the text itself as text_content.`);
    const decoded = decodeText(
      request.bytes,
      request.charset,
      format === "html" ? htmlCharset : format === "xml" ? xmlEncoding : null,
    );
    if (!decoded.ok) return unextractable(`No text could be extracted. ${decoded.reason}`);
    return convert(format, decoded.text);
  },
};

function formatOf(mimeType: ExtractionRequest["mimeType"]): Format | null {
  if (mimeType === "text/html" || mimeType === "application/xhtml+xml") return "html";
  if (mimeType === "text/xml" || mimeType === "application/xml" || mimeType.endsWith("+xml")) return "xml";
  if (mimeType === "application/json" || mimeType.endsWith("+json")) return "json";
  if (otherFormats.has(mimeType)) return null;
  return mimeType.startsWith("text/") || plainTypes.has(mimeType) ? "plain" : null;
}

async function convert(format: Format, text: string): Promise<Extraction> {
  switch (format) {
    case "plain":
      return { kind: "text", text };
    case "json":
      return { kind: "text", text: jsonToText(text) };
    case "xml": {
      const { xmlToText } = await markup();
      return { kind: "text", text: xmlToText(text) };
    }
    case "html":
      return convertHtml(text);
  }
}

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
