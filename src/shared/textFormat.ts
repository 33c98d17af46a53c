/** How text stands in a file. */
type TextFormat = "plain" | "html" | "xml" | "json" | "markdown";

const formats: Readonly<Record<string, TextFormat | undefined>> = {
  "text/html": "html",
  "application/xhtml+xml": "html",
  "text/xml": "xml",
  "application/xml": "xml",
  "application/json": "json",
  "text/markdown": "markdown",
  "text/x-markdown": "markdown",
};

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
/** What a text of these formats holds where it is not read as it stands. */
const marks: Partial<Readonly<Record<TextFormat, RegExp>>> = { html: /[<&]/, markdown: /[<&*_`~[\]\\|]/ };

/** Whether a text of this media type holds marks that nobody reads. */
export const holdsMarkup = (text: string, mimeType: string): boolean =>
  marks[textFormatOf(mimeType) ?? "plain"]?.test(text) ?? false;

/** Media types under `text/` with a format of their own that hides the text. */
const otherFormats: ReadonlySet<string> = new Set(["text/rtf", "text/richtext"]);

/** The format of a media type in lower case and without parameters; null where its files are not text. */
export function textFormatOf(mimeType: string): TextFormat | null {
  const named = formats[mimeType];
  if (named !== undefined) return named;
  if (mimeType.endsWith("+xml")) return "xml";
  if (mimeType.endsWith("+json")) return "json";
  if (otherFormats.has(mimeType)) return null;
  return mimeType.startsWith("text/") || plainTypes.has(mimeType) ? "plain" : null;
}
