import type { FileFacts } from "../../../events/document.js";

/** A file as a reader gets it: what it is has been found out. */
export interface FileToRead {
  readonly bytes: Buffer;
  /** The media type that was detected, in lower case and without parameters. */
  readonly mimeType: string;
  /** The charset that was declared with it. */
  readonly charset: string | null;
  readonly name: string | null;
}

/** A file inside another one: an entry of an archive, or an attachment. Its name and text follow the outer one's. */
export interface InnerFile {
  /** null: it has none, and its text stands as if it were the outer file's own. */
  readonly name: string | null;
  /** null: nothing was said of it. */
  readonly declaredMimeType: string | null;
  /**
   * Its bytes, or what the outer file's reader found in it itself. It is called once, when it is this file's turn.
   *
   * @throws UnreadableFile where it cannot be unpacked.
   */
  open(): Buffer | FileText;
}

/** How text is recognized in images. */
export interface OcrTerms {
  /** The languages, as Tesseract names them. */
  readonly languages: readonly string[];
  /** When the file has to be read, by `performance.now()`: no further page is begun that would take longer. */
  readonly untilMs: number;
}

/** What readers share while one file is read, with the files inside it. */
export interface ReadingContext {
  /** Readers may stop once they have so many characters; what is over is cut, and said to be. */
  readonly maxCharacters: number;
  /** null: no text is recognized in images. */
  readonly ocr: OcrTerms | null;
  /**
   * Counts bytes that were unpacked, while they are unpacked.
   *
   * @throws UnreadableFile once all files together have unpacked too much.
   */
  unpacked(bytes: number): void;
}

/** What a reader found. */
export interface FileText {
  /** In reading order; paragraphs, cells and pages are apart by line breaks. Empty where there is nothing to read. */
  readonly text: string;
  readonly facts: Omit<FileFacts, "mimeType" | "declaredMimeType" | "parts">;
  /** The files in it, in the order in which they are read. */
  readonly parts?: readonly InnerFile[];
}

/** Takes the text out of files of some formats. Runs in a child process: it may take its time. */
export interface Reader {
  /** @throws UnreadableFile where the file cannot be read; whatever else it throws is told as a damaged file. */
  read(file: FileToRead, context: ReadingContext): Promise<FileText>;
}

/** Why a file cannot be read, as a sentence for the person who sent it: "The PDF is encrypted." */
export class UnreadableFile extends Error {}

/** It opens with a password only. */
export class EncryptedFile extends UnreadableFile {}

/** Nothing is wrong with the file: there is no reader for its format. */
export class UnknownFormat extends UnreadableFile {}
