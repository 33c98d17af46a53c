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
  "application/ecmascript",
  "application/typescript",
  "application/x-typescript",
  "application/sql",
  "application/x-sql",
  "application/toml",
  "application/x-toml",
  "application/yaml",
  "application/x-yaml",
  "application/x-ndjson",
  "application/jsonl",
  "application/json5",
  "application/x-sh",
  "application/x-csh",
  "application/x-shellscript",
  "application/x-bat",
  "application/x-powershell",
  "application/x-httpd-php",
  "application/x-php",
  "application/x-python",
  "application/x-perl",
  "application/x-ruby",
  "application/x-lua",
  "application/x-tcl",
  "application/x-awk",
  "application/x-tex",
  "application/x-latex",
  "application/x-texinfo",
  "application/x-troff",
  "application/x-troff-man",
  "application/x-subrip",
  "application/graphql",
  "application/n-triples",
  "application/n-quads",
  "application/trig",
  "application/x-desktop",
  "application/x-ini",
  "application/x-wais-source",
  "message/delivery-status",
  "message/disposition-notification",
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
