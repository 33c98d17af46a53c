import { open } from "node:fs/promises";
import mime from "mime-types";

interface ReadFile {
  readonly bytes: Buffer;
  readonly mimeType: string;
  /** ISO instant of the file's last change. */
  readonly lastModified: string;
}

export interface TextFile extends ReadFile {
  readonly kind: "text";
  readonly text: string;
}

/** A file whose text the service takes out. */
export interface FormattedFile extends ReadFile {
  readonly kind: "formatted";
}

/** The file is left out on purpose. */
interface SkippedFile {
  readonly kind: "skipped";
  readonly reason: string;
}

/** Formats whose bytes can look like text, but whose text they are not, and which the service does not read either. */
const lookLikeText = /^application\/(pdf|rtf|postscript|vnd\.|msword|x-tex-)/;

const textLike =
  /^text\/|^image\/svg|^application\/(json|xml|yaml|toml|sql|javascript|x-sh|x-httpd-php|graphql|manifest)|\+(json|xml|yaml)$/;

/** Control characters that no text has: all but tab and the ends of lines and pages. */
const controlCharacters = /[^\P{Cc}\t\n\f\r\u0085]/u;

/**
 * Reads a file if the service can read it: one of its formats by the name, or else text. Whether it is text, the bytes
 * decide: valid UTF-8, UTF-16 with a byte order mark, or, where neither fits and no control character speaks against
 * it, Windows-1252. Throws what the file system throws.
 */
export async function readFile(file: string, maxBytes: number): Promise<TextFile | FormattedFile | SkippedFile> {
  const named = mime.lookup(file) || "";
  const isFormat = fileFormats.has(named);
  if (!isFormat && lookLikeText.test(named)) return skipped(`Files of the type ${named} cannot be read.`);
  const handle = await open(file, "r");
  try {
    const { size, mtime } = await handle.stat();
    if (size > maxBytes) return skipped(`It is larger than the limit of ${maxBytes} bytes (--max-bytes).`);
    const bytes = await handle.readFile();
    const lastModified = mtime.toISOString();
    if (isFormat) return { kind: "formatted", bytes, mimeType: named, lastModified };
    const text = utf8TextOf(bytes);
    if (text === null) return skipped("It is not text.");
    if (text.trim() === "") return skipped("It is empty.");
    return {
      kind: "text",
      text,
      bytes,
      mimeType: textLike.test(named) ? named : "text/plain",
      lastModified,
    };
  } finally {
    await handle.close();
  }
}

const skipped = (reason: string): SkippedFile => ({ kind: "skipped", reason });

/** null: not text. */
function utf8TextOf(bytes: Uint8Array): string | null {
  for (const encoding of encodingsFor(bytes)) {
    try {
      const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
      return controlCharacters.test(text) ? null : text;
    } catch {
      continue;
    }
  }
  return null;
}

function encodingsFor([first, second]: Uint8Array): readonly string[] {
  if (first === 0xff && second === 0xfe) return ["utf-16le"];
  if (first === 0xfe && second === 0xff) return ["utf-16be"];
  return ["utf-8", "windows-1252"];
}

/** Media types, beside texts, of files that the service takes the text out of. */
export const fileFormats: ReadonlySet<string> = new Set([
  "application/pdf",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  "application/vnd.oasis.opendocument.text",
  "application/vnd.oasis.opendocument.spreadsheet",
  "application/vnd.oasis.opendocument.presentation",
  "application/epub+zip",
  "application/rtf",
  "message/rfc822",
  "application/vnd.ms-outlook",
  "application/zip",
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "image/bmp",
  "image/tiff",
]);
