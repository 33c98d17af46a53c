import iconv from "iconv-lite";
import { fromRandomAccessReader, RandomAccessReader, type Entry, type ZipFile } from "yauzl";
import { UnreadableFile } from "../readers/reader.js";

/** One file of an archive, as the archive's directory tells of it. Nothing that it says of sizes is believed. */
export interface ZipEntry {
  /** Only a name: nothing is ever written under it. */
  readonly name: string;
  readonly method: number;
  readonly isEncrypted: boolean;
  readonly checksum: number;
  /** Its bytes in the archive; undefined where its header is damaged, or they would end after the archive does. */
  packed(): Buffer | undefined;
}

/** More are no office file and no archive that anybody reads. */
const mostEntries = 65_536;

/** @throws UnreadableFile where there is no directory, or it ends before all entries that it announces. */
export function readZipDirectory(bytes: Buffer): readonly ZipEntry[] {
  try {
    return readEntries(open(bytes), bytes);
  } catch (error) {
    throw error instanceof UnreadableFile ? error : new UnreadableFile(whyUnreadable(error));
  }
}

/** One entry under strong encryption ends the reading of the directory. */
const whyUnreadable = (error: unknown): string =>
  error instanceof Error && error.message === "strong encryption is not supported"
    ? "The file is encrypted."
    : "The file is damaged: its ZIP directory cannot be read.";

/**
 * Answers at once, and so does yauzl then. Its own reader of buffers waits a turn of the event loop for each of the
 * reads, two for an entry: that made the reading of a small document a third longer.
 */
class BytesReader extends RandomAccessReader {
  constructor(private readonly bytes: Buffer) {
    super();
  }

  override read(into: Buffer, at: number, length: number, position: number, done: (error: Error | null) => void): void {
    const isWithin = position + length <= this.bytes.length;
    if (isWithin) this.bytes.copy(into, at, position, position + length);
    done(isWithin ? null : new Error("It ends too early."));
  }
}

const options = { autoClose: false, lazyEntries: true, decodeStrings: false, validateEntrySizes: false };

function open(bytes: Buffer): ZipFile {
  const opened: ZipFile[] = [];
  fromRandomAccessReader(new BytesReader(bytes), bytes.length, options, (error, archive) => {
    if (error === null) opened.push(archive);
  });
  return the(opened[0]);
}

function readEntries(archive: ZipFile, bytes: Buffer): readonly ZipEntry[] {
  if (archive.entryCount > mostEntries) throw new UnreadableFile(`The archive holds more than ${mostEntries} files.`);
  const entries: ZipEntry[] = [];
  let failure: unknown = null;
  archive.on("entry", (entry: Entry) => entries.push(entryOf(entry, archive, bytes)));
  archive.on("error", (error) => (failure = error));
  for (let at = 0; at < archive.entryCount; at++) {
    archive.readEntry();
    if (failure !== null) throw failure;
    the(entries[at]);
  }
  return entries;
}

/** What yauzl puts off to a later turn is nothing that an archive needs: an empty one, or an entry without a name. */
function the<T>(found: T | undefined): T {
  if (found === undefined) throw new Error("There is none.");
  return found;
}

const entryOf = (entry: Entry, archive: ZipFile, bytes: Buffer): ZipEntry => ({
  name: decodeName(entry.fileNameRaw),
  method: entry.compressionMethod,
  isEncrypted: entry.isEncrypted(),
  checksum: entry.crc32,
  packed: () => packedBytes(entry, archive, bytes),
});

function packedBytes(entry: Entry, archive: ZipFile, bytes: Buffer): Buffer | undefined {
  let packed: Buffer | undefined;
  archive.readLocalFileHeader(entry, { minimal: true }, (error, header) => {
    if (error === null) packed = bytes.subarray(header.fileDataStart, header.fileDataStart + entry.compressedSize);
  });
  return packed;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Names are UTF-8, or what DOS wrote. The flag that should tell is often wrong. */
function decodeName(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return iconv.decode(bytes, "cp437");
  }
}
