/** How text stands in a file. */
export type TextFormat = "plain" | "html" | "xml" | "json";

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

/** The format of a media type in lower case and without parameters; null where its files are not text. */
export function textFormatOf(mimeType: string): TextFormat | null {
  if (mimeType === "text/html" || mimeType === "application/xhtml+xml") return "html";
  if (mimeType === "text/xml" || mimeType === "application/xml" || mimeType.endsWith("+xml")) return "xml";
  if (mimeType === "application/json" || mimeType.endsWith("+json")) return "json";
  if (otherFormats.has(mimeType)) return null;
  return mimeType.startsWith("text/") || plainTypes.has(mimeType) ? "plain" : null;
}
