import { posix } from "node:path";
import { decodeHTML } from "entities";
import { convert } from "html-to-text";
import { createHash } from "node:crypto";
import type { Permissions } from "./accessRules.js";
import type { FormattedFile, TextFile } from "./readFile.js";
import { withoutTrailing, beginningOf } from "../../shared/texts.js";
import { tellingTitle } from "../../shared/titles.js";

/** A document as `POST /api/indexing/documents` takes it (spec: Document). */
export interface PushedDocument {
  readonly datasource: string;
  readonly id: string;
  readonly title: string;
  readonly body:
    | { readonly mime_type: string; readonly text_content: string }
    | { readonly mime_type: string; readonly binary_base64: string };
  readonly file_type: "markdown" | "webpage" | "file";
  readonly path: string;
  readonly path_preview?: string;
  readonly last_modified: string;
  /** Left out: visible to whom the datasource's `default_access` says. */
  readonly permissions?: Permissions;
}

interface DocumentSource {
  readonly datasource: string;
  /** Relative to the imported folder, with `/`. */
  readonly path: string;
  readonly file: TextFile | FormattedFile;
  /** Where the folder can be opened in a browser; null: nowhere. */
  readonly linkPrefix: string | null;
}

const maxPathLength = 2_048;

/**
 * The document of a file, without permissions. Its `last_modified` is the file's, so that an unchanged file answers
 * `already_indexed`.
 */
export function toPushedDocument({ datasource, path, file, linkPrefix }: DocumentSource): PushedDocument {
  const link =
    linkPrefix === null
      ? ""
      : `${withoutTrailing(linkPrefix, "/")}/${path.split("/").map(encodeURIComponent).join("/")}`;
  return {
    datasource,
    id: documentIdOf(path),
    title: titleOf(path, file.mimeType, file.kind === "text" ? file.text : ""),
    body: bodyOf(file),
    file_type: fileTypeOf(file.mimeType),
    path: [...path].slice(-maxPathLength).join(""),
    ...(link !== "" && link.length <= maxPathLength ? { path_preview: link } : {}),
    last_modified: file.lastModified,
  };
}

/** The document without what it says, which does not matter to whether a push would open it. */
export const withoutText = (document: PushedDocument): PushedDocument => ({
  ...document,
  title: "",
  body: { mime_type: "text/plain", text_content: "" },
});

/** Marked-up text goes as it is, as any file does for the service to read; everything else is its own text. */
function bodyOf(file: TextFile | FormattedFile): PushedDocument["body"] {
  const { mimeType, bytes } = file;
  return file.kind === "text" && !isMarkedUp(mimeType)
    ? { mime_type: mimeType, text_content: file.text }
    : { mime_type: mimeType, binary_base64: bytes.toString("base64") };
}

const isMarkedUp = (mimeType: string): boolean => isHtml(mimeType) || /[/+](xml|json)$/.test(mimeType);

function fileTypeOf(mimeType: string): PushedDocument["file_type"] {
  if (isHtml(mimeType)) return "webpage";
  return mimeType === "text/markdown" ? "markdown" : "file";
}

const isHtml = (mimeType: string): boolean => mimeType === "text/html" || mimeType === "application/xhtml+xml";

const maxTitleLength = 1_000;
const headOfText = 20_000;
const markedHeading = /^#{1,2}[ \t](.*)$/;
const underline = /^={3,}[ \t\r]*$/;
const fencedCode = /^(```|~~~)[\s\S]*?^\1/gm;
const htmlTitle = /<title\b[^<>]*>([^<]*)/i;
const image = /!\[[^[\]]*\](?:\([^()]*\)|\[[^[\]]*\])/g;
const link = /\[([^[\]]*)\](?:\([^()]*\)|\[[^[\]]*\])/g;

/** A title for a file: the HTML title or heading, the first Markdown heading, else the file's name. */
export function titleOf(path: string, mimeType: string, text: string): string {
  return beginningOf(titleInText(mimeType, text.slice(0, headOfText)) ?? posix.basename(path), maxTitleLength);
}

/** The first title that tells documents apart, on one line. */
function titleInText(mimeType: string, text: string): string | undefined {
  for (const title of titlesIn(mimeType, text)) {
    const telling = tellingTitle(title.replace(/\s+/g, " ").trim());
    if (telling !== undefined) return telling;
  }
  return undefined;
}

function* titlesIn(mimeType: string, text: string): Generator<string, void, void> {
  if (mimeType === "text/html")
    for (const title of [htmlTitle.exec(text)?.[1] ?? "", htmlHeading(text)]) yield convert(title, { wordwrap: false });
  if (mimeType !== "text/markdown") return;
  for (const heading of headings(text.replace(fencedCode, "").split("\n"))) yield plainHeading(heading);
}

/** What stands in the first heading of a page. */
function htmlHeading(text: string): string {
  const heading = text.slice(text.search(/<h1[\s>]|$/i));
  const end = heading.search(/<\/h1/i);
  return end === -1 ? "" : heading.slice(heading.indexOf(">") + 1, end);
}

/** The headings of the first two levels. */
function* headings(lines: readonly string[]): Generator<string, void, void> {
  for (const [index, line] of lines.entries()) {
    const marked = markedHeading.exec(line)?.[1];
    if (marked !== undefined && marked.trim() !== "") yield withoutTrailing(marked, "# \t\r");
    if (/^\S/.test(line) && underline.test(lines[index + 1] ?? "")) yield line;
  }
}

/** A heading without images, link targets, emphasis and HTML tags, with the characters that entities stand for. */
function plainHeading(heading: string): string {
  return decodeHTML(
    heading
      .replace(image, "")
      .replace(link, "$1")
      .replace(/<[^<>]*>/g, "")
      .replace(/[*`]|(?<!\w)_|_(?!\w)/g, ""),
  );
}

const maxReadableLength = 160;
const hashLength = 24;

/**
 * The document id of a file: a readable form of its path, and 96 bits of the path's SHA-256. It depends on the path
 * alone, so that every import of the same folder names the same documents; it stays within the id rules
 * (spec: Document, `[A-Za-z0-9._-]`, at most 200 characters, no `..`); and two paths never share one.
 */
export function documentIdOf(path: string): string {
  const readable = path
    .normalize("NFKD")
    .replace(/\p{Mark}+/gu, "")
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/\.{2,}/g, ".")
    .slice(-maxReadableLength)
    .replace(/^[-.]+/, "");
  const hash = createHash("sha256").update(path).digest("hex").slice(0, hashLength);
  return readable === "" ? hash : `${readable}-${hash}`;
}
