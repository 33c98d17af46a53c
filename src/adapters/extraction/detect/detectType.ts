import { extname } from "node:path";
import mime from "mime-types";
import { textFormatOf } from "../../../shared/textFormat.js";
import type { ReadingContext } from "../readers/reader.js";
import { shownByContent } from "./binaryContent.js";
import { canonical, isImage, isOldOffice, mediaTypes } from "./mediaTypes.js";
import { looksLikeText, textTypeShown, wideEncoding } from "./textContent.js";

export interface FileToDetect {
  readonly bytes: Buffer;
  readonly mimeType: string | null;
  readonly name: string | null;
}

/**
 * The media type of a file, by its usual name: as the content shows it, else as it was declared, else as its name ends.
 * Text shows hardly anything, so that for text, what was declared counts wherever it can be true. Nothing is an image
 * that does not show it: each kind of image begins with a signature.
 */
export async function detectType(file: FileToDetect, context: Pick<ReadingContext, "unpacked">): Promise<string> {
  const declared = canonical(file.mimeType);
  const shown = await shownByContent(file.bytes, context);
  if (shown?.isSure === true) return shown.mimeType;
  const named = byName(file.name);
  const said = [declared, named].find((type) => type !== null && !isImage(type)) ?? null;
  if (shown !== null) return said !== null && mayBe(said, shown.mimeType) ? said : shown.mimeType;
  if (!looksLikeText(file.bytes) && wideEncoding(file.bytes) === null) return said ?? mediaTypes.anything;
  return ofText(file.bytes, declared, named);
}

/** Whether a damaged or unknown container may be what was said of it. */
const mayBe = (said: string, container: string): boolean =>
  container === mediaTypes.zip
    ? /openxmlformats|opendocument|epub/.test(said)
    : isOldOffice(said) || said === mediaTypes.msg;

function ofText(bytes: Buffer, declared: string | null, named: string | null): string {
  const shown = textTypeShown(bytes);
  const mayBeTrue = (said: string | null): said is string =>
    said !== null && isText(said) && (!isImage(said) || said === shown);
  if (mayBeTrue(declared)) return declared;
  if (mayBeTrue(named)) return named;
  // Old Word and Excel were happy with text under their names, and so are many programs that write it.
  const isPlain = declared === null || isImage(declared) || isOldOffice(declared) || declared === mediaTypes.rtf;
  return shown ?? (isPlain ? "text/plain" : declared);
}

const isText = (mimeType: string): boolean => textFormatOf(mimeType) !== null || mimeType === mediaTypes.eml;

/** The media type that is registered for a name's extension. */
function byName(name: string | null): string | null {
  const extension = extname(name ?? "");
  return extension === "" ? null : canonical(mime.lookup(extension) || null);
}
