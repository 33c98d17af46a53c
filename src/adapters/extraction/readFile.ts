import type { Extraction, FileToExtract } from "../../../commands/ports.js";
import { beginningOf, isUnstorable } from "../../shared/texts.js";
import { mostUnpackedBytes, UnpackedTooMuch, unpackedTooMuch } from "./archive/zipArchive.js";
import { detectType } from "./detect/detectType.js";
import { isLie, mediaTypes, isImage } from "./detect/mediaTypes.js";
import { readerOf } from "./readers/readers.js";
import { UnknownFormat, UnreadableFile, type FileText, type InnerFile, type ReadingContext } from "./readers/reader.js";
import { UnstorableText } from "./readers/plainText.js";
import { textLanguage } from "./textLanguage.js";

/** What bounds the reading of one file. */
export interface ReadingLimits {
  /** More of a text is not kept. */
  readonly maxCharacters: number;
  /** In which languages text is recognized in images, as Tesseract names them; null: in none. */
  readonly ocrLanguages: readonly string[] | null;
  /** How long the reading may take. Left out: as long as it takes. */
  readonly timeoutMs?: number;
}

/** A file in memory, and what the client said of it. */
export interface FileInMemory {
  readonly bytes: Buffer;
  /** In lower case and without parameters; null: none was said. */
  readonly mimeType: string | null;
  readonly charset: string | null;
  readonly name: string | null;
  /** The form of the file, as `FileToExtract` has it. */
  readonly form?: FileToExtract["form"];
}

/** Files inside a file are read; files inside those are not. */
const deepest = 1;

/** Finds out what a file is, and takes its text out. Never rejects because of a file. */
export async function readFile(file: FileInMemory, limits: ReadingLimits): Promise<Extraction> {
  try {
    const { mimeType, text, facts } = await readAtDepth(file, 0, contextOf(limits));
    const whole = storable(text);
    const kept = withinLimit(whole, limits.maxCharacters);
    // Many programs write the language that they speak themselves, whatever the text's.
    const language = textLanguage(kept) ?? facts.language;
    return {
      kind: "text",
      text: kept,
      facts: {
        ...said(facts),
        mimeType,
        ...(file.mimeType !== null && isLie(file.mimeType, mimeType) ? { declaredMimeType: file.mimeType } : {}),
        ...(language === undefined ? {} : { language }),
        ...(kept.length < whole.length ? { truncated: true } : {}),
      },
    };
  } catch (error) {
    if (error instanceof UnstorableText) return { kind: "unstorable" };
    if (error instanceof UnknownFormat) return { kind: "unextractable", reason: error.message, isUnknownType: true };
    const isForPeople = error instanceof UnreadableFile;
    return { kind: "unextractable", reason: isForPeople ? error.message : "The file is damaged: it cannot be read." };
  }
}

/** The rest of the time is for what is under way then, and for the text to be handed over. */
const inTime = 0.9;

type Shared = Omit<ReadingContext, "readInner">;

function contextOf({ maxCharacters, ocrLanguages, timeoutMs = Number.POSITIVE_INFINITY }: ReadingLimits): Shared {
  let unpackedBytes = 0;
  return {
    maxCharacters,
    ocr: ocrLanguages === null ? null : { languages: ocrLanguages, untilMs: performance.now() + inTime * timeoutMs },
    unpacked(bytes) {
      unpackedBytes += bytes;
      if (unpackedBytes > mostUnpackedBytes) throw unpackedTooMuch();
    },
  };
}

interface ReadText extends FileText {
  readonly mimeType: string;
}

async function readAtDepth(file: FileInMemory, depth: number, shared: Shared): Promise<ReadText> {
  const isKnown = file.form === "typed" && file.mimeType !== null;
  const mimeType = isKnown ? file.mimeType : await detectType(file, shared);
  const reader = await readerOf(mimeType, file.form);
  if (reader === null) throw new UnknownFormat(whyUnreadable(mimeType));
  const readInner = async (inner: InnerFile) => (depth === deepest ? null : readInside(inner, mimeType, shared));
  const context = { ...shared, readInner };
  const { bytes, charset, name } = file;
  return { mimeType, ...(await reader.read({ bytes, mimeType, charset, name }, context)) };
}

/** The text of a file inside another one. What is wrong with it is no fault of the file that it is in. */
async function readInside(inner: InnerFile, outer: string, shared: Shared): Promise<string | null> {
  const { bytes, name, declaredMimeType } = inner;
  const file = { bytes, name, mimeType: declaredMimeType, charset: null };
  try {
    // An archive in an archive is not opened.
    if (outer === mediaTypes.zip && (await detectType(file, shared)) === mediaTypes.zip) return null;
    const { text } = await readAtDepth(file, deepest, shared);
    return text;
  } catch (error) {
    if (error instanceof UnpackedTooMuch) throw error;
    return null;
  }
}

/** Formats that are no text may hold characters that nothing can keep; they say nothing. */
const storable = (text: string): string => (isUnstorable(text) ? text.replace(/[\0\p{Surrogate}]/gu, "") : text);

/** How far back the end of a line or a word is looked for. */
const farthestBack = 1_000;

/** Cut at the end of a line or a word, if there is one near. */
function withinLimit(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const near = text.slice(Math.max(0, maxCharacters - farthestBack), maxCharacters + 1);
  const back = near.length - Math.max(near.lastIndexOf("\n"), near.lastIndexOf(" ")) - 1;
  const end = back < near.length ? maxCharacters - back : maxCharacters;
  return beginningOf(text, end);
}

/** Facts without those that are undefined: a message between processes keeps those apart. */
const said = (facts: FileText["facts"]): FileText["facts"] =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));

/** Formats that are known, and what to do about them. */
const reasons: Readonly<Record<string, string>> = {
  [mediaTypes.encrypted]: "The Office file is encrypted.",
  [mediaTypes.doc]: "Word files of the old format (.doc) cannot be read. Save the document as .docx and send that.",
  [mediaTypes.xls]: "Excel files of the old format (.xls) cannot be read. Save the workbook as .xlsx and send that.",
  [mediaTypes.ppt]: "PowerPoint files of the old format (.ppt) cannot be read. Save the slides as .pptx and send that.",
};

/**
 * Why there is no reader for a file, and what to do about it, as sentences for the person who sent it. They fit
 * whatever way it came: a document in a push may come with its text instead, and what is uploaded may be another file.
 */
function whyUnreadable(mimeType: string): string {
  if (isImage(mimeType))
    return `Images of the type ${mimeType} cannot be read. Convert the image to JPEG or PNG and send that.`;
  if (mimeType.startsWith("video/"))
    return `The file is a video (${mimeType}). Send what is said in it as text instead.`;
  if (mimeType.startsWith("audio/")) return `The file is a recording (${mimeType}). Send what is said in it as text.`;
  if (mimeType === mediaTypes.anything)
    return "It cannot be told what kind of file it is. Send its text, or save it as PDF.";
  return reasons[mimeType] ?? `Text cannot be extracted from ${mimeType}. Send its text, or save it as PDF.`;
}
