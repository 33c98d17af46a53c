import type { Extraction, FileToExtract } from "../../../commands/ports.js";
import type { FilePart } from "../../events/document.js";
import { beginningOf, isUnstorable } from "../../shared/texts.js";
import { mostUnpackedBytes, UnpackedTooMuch, unpackedTooMuch } from "./archive/zipArchive.js";
import { detectType } from "./detect/detectType.js";
import { isArchive, isLie, mediaTypes } from "./detect/mediaTypes.js";
import { readerOf } from "./readers/readers.js";
import { convert, isConvertible, type LibreOffice } from "./libreOffice.js";
import {
  EncryptedFile,
  UnknownFormat,
  UnreadableFile,
  type FileText,
  type FileToRead,
  type InnerFile,
  type ReadingContext,
} from "./readers/reader.js";
import { UnstorableText } from "./readers/plainText.js";
import { oneLine } from "./readers/factValues.js";
import { TextBuilder } from "./textBuilder.js";
import { textLanguage } from "./textLanguage.js";

/** What bounds the reading of one file. */
export interface ReadingLimits {
  /** More of a text is not kept. */
  readonly maxCharacters: number;
  /** In which languages text is recognized in images, as Tesseract names them; null: in none. */
  readonly ocrLanguages: readonly string[] | null;
  /** How long the reading may take. Left out: as long as it takes. */
  readonly timeoutMs?: number;
  /** Converts files that have no reader here, or that their reader could not read. Left out: nothing does. */
  readonly libreOffice?: LibreOffice;
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

/** The event of a document has room for so many. */
const mostPartsTold = 100;

/** Finds out what a file is, and takes its text out. Never rejects because of a file. */
export async function readFile(file: FileInMemory, limits: ReadingLimits): Promise<Extraction> {
  try {
    const outermost = { depth: 0, isInArchive: false };
    const { mimeType, text: whole, facts, parts } = await readAt(outermost, file, contextOf(limits));
    const kept = withinLimit(whole, limits.maxCharacters);
    // Many programs write the language that they speak themselves, whatever the text's.
    const language = textLanguage(kept) ?? facts.language;
    return {
      kind: "text",
      text: kept,
      facts: {
        ...withoutUndefined(facts),
        mimeType,
        ...(file.mimeType !== null && isLie(file.mimeType, mimeType) ? { declaredMimeType: file.mimeType } : {}),
        ...(language === undefined ? {} : { language }),
        ...(kept.length < whole.length ? { truncated: true } : {}),
        ...(parts.length === 0 ? {} : { parts: parts.slice(0, mostPartsTold) }),
      },
    };
  } catch (error) {
    if (error instanceof UnstorableText) return { kind: "unstorable" };
    if (error instanceof UnknownFormat) return { kind: "unextractable", reason: error.message, isUnknownType: true };
    const isForPeople = error instanceof UnreadableFile;
    return { kind: "unextractable", reason: isForPeople ? error.message : "The file is damaged: it cannot be read." };
  }
}

/** Reading ends at this share of its time: the rest is for what is under way then, and for handing the text over. */
const shareForReading = 0.9;

interface Shared extends ReadingContext {
  /** When the file has to be read, by `performance.now()`. */
  readonly untilMs: number;
  readonly libreOffice: LibreOffice | null;
  /** Whether one more file in a file may be read. */
  takePart(): boolean;
}

function contextOf({ maxCharacters, ocrLanguages, timeoutMs, libreOffice }: ReadingLimits): Shared {
  const untilMs = performance.now() + shareForReading * (timeoutMs ?? Number.POSITIVE_INFINITY);
  let unpackedBytes = 0;
  let partsRead = 0;
  return {
    maxCharacters,
    ocr: ocrLanguages === null ? null : { languages: ocrLanguages, untilMs },
    untilMs,
    libreOffice: libreOffice ?? null,
    unpacked(bytes) {
      unpackedBytes += bytes;
      if (unpackedBytes > mostUnpackedBytes) throw unpackedTooMuch();
    },
    takePart: () => ++partsRead <= mostPartsRead,
  };
}

interface ReadText {
  readonly mimeType: string;
  readonly text: string;
  readonly facts: FileText["facts"];
  /** The files in it and in them. */
  readonly parts: readonly FilePart[];
}

/** Files in files are read so deep: an archive at a mail in a mailbox, and a document in it. */
const deepest = 3;

/** So many files in one are read, whatever they lie in; the others are left out. */
const mostPartsRead = 1_000;

/** Where a file lies in others. */
interface Place {
  readonly depth: number;
  /** Whether it lies in an archive: one in there is not opened. */
  readonly isInArchive: boolean;
}

async function readAt(place: Place, file: FileInMemory, shared: Shared): Promise<ReadText> {
  const isKnown = file.form === "typed" && file.mimeType !== null;
  const mimeType = isKnown ? file.mimeType : await detectType(file, shared);
  if (place.isInArchive && isArchive(mimeType)) throw new UnreadableFile("Archives in archives are not opened.");
  const { bytes, charset, name } = file;
  const read = await readAs({ bytes, mimeType, charset, name }, file.form, shared);
  return withParts(mimeType, read, place, shared);
}

/** What the format's reader finds, or LibreOffice where there is none or it fails. */
async function readAs(file: FileToRead, form: FileInMemory["form"], shared: Shared): Promise<FileText> {
  const { mimeType } = file;
  const reader = await readerOf(mimeType, form);
  if (reader === null) return (await readConverted(file, shared)) ?? unknown(mimeType);
  try {
    return await reader.read(file, shared);
  } catch (error) {
    if (error instanceof EncryptedFile || error instanceof UnpackedTooMuch) throw error;
    const converted = await readConverted(file, shared).catch(() => null);
    if (converted === null) throw error;
    return converted;
  }
}

function unknown(mimeType: string): never {
  throw new UnknownFormat(whyUnreadable(mimeType));
}

/** null: there is no LibreOffice, or the format is none that it is asked for. */
async function readConverted(file: FileToRead, shared: Shared): Promise<FileText | null> {
  if (shared.libreOffice === null || !isConvertible(file.mimeType)) return null;
  const { bytes, name } = await convert(shared.libreOffice, file, shared.untilMs);
  const mimeType = await detectType({ bytes, name, mimeType: null }, shared);
  const reader = await readerOf(mimeType);
  return reader === null ? null : reader.read({ bytes, mimeType, charset: null, name }, shared);
}

/** What was read of a file, and then the files in it: each one's name and text. */
async function withParts(mimeType: string, read: FileText, place: Place, shared: Shared): Promise<ReadText> {
  const text = new TextBuilder(shared.maxCharacters);
  text.add(storable(read.text));
  const told: FilePart[] = [];
  let isWhole = true;
  const inside = { depth: place.depth + 1, isInArchive: place.isInArchive || isArchive(mimeType) };
  for (const part of read.parts ?? []) {
    if (text.isFull) break;
    if (!shared.takePart()) {
      isWhole = false;
      break;
    }
    text.endLine();
    told.push(...(await addPart(text, part, inside, shared)));
  }
  const facts = isWhole ? read.facts : { ...read.facts, truncated: true as const };
  return { mimeType, text: text.toString(), facts, parts: told };
}

async function addPart(text: TextBuilder, part: InnerFile, place: Place, shared: Shared): Promise<readonly FilePart[]> {
  const at = text.length;
  const name = part.name === null ? null : (oneLine(part.name) ?? "");
  text.addLines(name ?? "");
  const read = await readPart(part, place, shared);
  const inner = "unread" in read ? [] : read.parts.map((one) => ({ ...one, at: one.at + text.length }));
  if ("text" in read) text.addLines(read.text);
  if (name === null) return inner;
  const { mimeType } = read;
  return [{ name, at, ...(mimeType === undefined ? {} : { mimeType }), ...whyUnread(read) }, ...inner];
}

interface UnreadPart {
  readonly mimeType?: string;
  readonly unread: string;
}

const whyUnread = (read: ReadText | UnreadPart): Pick<FilePart, "unread"> =>
  "unread" in read ? { unread: read.unread } : {};

/** What is wrong with a file in another one is no fault of that other one, unless it unpacks without end. */
async function readPart(part: InnerFile, place: Place, shared: Shared): Promise<ReadText | UnreadPart> {
  const { name, declaredMimeType } = part;
  try {
    if (place.depth > deepest) throw new UnreadableFile("It lies too deep in other files.");
    const opened = part.open();
    if (!Buffer.isBuffer(opened))
      return await withParts(declaredMimeType ?? mediaTypes.anything, opened, place, shared);
    return await readAt(place, { bytes: opened, name, mimeType: declaredMimeType, charset: null }, shared);
  } catch (error) {
    if (error instanceof UnpackedTooMuch) throw error;
    return { unread: error instanceof UnreadableFile ? error.message : "The file is damaged: it cannot be read." };
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

/** Facts without those that are undefined: a message between processes would carry them. */
const withoutUndefined = (facts: FileText["facts"]): FileText["facts"] =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));

/**
 * Why there is no reader for a file, and what to do about it, as sentences for the person who sent it. They fit
 * whatever way it came: a document in a push may come with its text instead, and what is uploaded may be another file.
 */
function whyUnreadable(mimeType: string): string {
  const known = unreadable.find(([pattern]) => pattern.test(mimeType));
  return known?.[1](mimeType) ?? `Text cannot be extracted from ${mimeType}. Send its text, or save it as PDF.`;
}

const unreadable: readonly (readonly [RegExp, (mimeType: string) => string])[] = [
  [/^application\/octet-stream$/, () => "It cannot be told what kind of file it is. Send its text, or save it as PDF."],
  [/^application\/encrypted$/, () => "The Office file is encrypted."],
  [
    /^image\//,
    (mimeType) => `Images of the type ${mimeType} cannot be read. Convert the image to JPEG or PNG and send that.`,
  ],
  [/^video\//, (mimeType) => `The file is a video (${mimeType}). Send what is said in it as text instead.`],
  [/^audio\//, (mimeType) => `The file is a recording (${mimeType}). Send what is said in it as text.`],
  [/^font\//, (mimeType) => `The file is a font (${mimeType}): there is no text in it.`],
  [
    /x-msdownload|x-elf|x-mach-binary|java-vm|\/wasm$/,
    (mimeType) => `The file is a program (${mimeType}): there is no text in it for people.`,
  ],
  [
    /x-lz4|brotli|diskimage|iso9660|x-lzop|x-snappy/,
    (mimeType) => `Files packed as ${mimeType} cannot be unpacked. Unpack it, and send what is in it.`,
  ],
  [/onenote/, () => "Notebooks of OneNote cannot be read. Export it as Word document or PDF and send that."],
];
