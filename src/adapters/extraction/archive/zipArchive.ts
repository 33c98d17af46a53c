import { isUtf8 } from "node:buffer";
import { crc32, inflateRawSync } from "node:zlib";
import { fromRandomAccessReader, RandomAccessReader, type Entry, type ZipFile } from "yauzl";
import { decodeAs } from "../encodings.js";
import { EncryptedFile, UnreadableFile, type ReadingContext } from "../readers/reader.js";

const stored = 0;
const deflated = 8;
/** No office file has so many parts that hold text. */
const mostPartsRead = 10_000;

/** A ZIP archive in memory. What is unpacked is counted while it is unpacked. */
export class ZipArchive {
  readonly entries: readonly ZipEntry[];
  private readonly byName = new Map<string, ZipEntry>();
  private partsRead = 0;

  /** @throws UnreadableFile where its directory cannot be read. */
  constructor(
    bytes: Buffer,
    private readonly context: Pick<ReadingContext, "unpacked">,
  ) {
    this.entries = readZipDirectory(withoutSurroundings(bytes));
    for (const entry of this.entries) this.byName.set(partName(entry.name), entry);
  }

  has(name: string): boolean {
    return this.byName.has(partName(name));
  }

  /** The bytes of a part; null where there is none of this name. */
  part(name: string): Buffer | null {
    const entry = this.byName.get(partName(name));
    if (entry === undefined) return null;
    if (++this.partsRead > mostPartsRead) throw new UnreadableFile(`The file has more than ${mostPartsRead} parts.`);
    return this.unpack(entry);
  }

  /** @throws UnreadableFile where there is no part of this name: without it the file holds nothing. */
  requiredPart(name: string): Buffer {
    const bytes = this.part(name);
    if (bytes === null) throw new UnreadableFile(`The file is damaged: ${name} in it is missing.`);
    return bytes;
  }

  /** @throws UnreadableFile where the entry is encrypted or damaged, or all entries together are too large. */
  unpack(entry: ZipEntry): Buffer {
    if (entry.isEncrypted) throw new EncryptedFile("The file is encrypted.");
    const unpacked = this.unpackBytes(entry);
    this.context.unpacked(unpacked.length);
    if (entry.checksum !== 0 && crc32(unpacked) !== entry.checksum)
      throw new UnreadableFile(`The file is damaged: ${entry.name} in it does not fit its checksum.`);
    return unpacked;
  }

  private unpackBytes(entry: ZipEntry): Buffer {
    const packed = entry.packed();
    if (packed === undefined) throw cannotBeUnpacked(entry);
    if (entry.method === stored) return packed;
    if (entry.method !== deflated)
      throw new UnreadableFile(`The file cannot be read: ${entry.name} in it is packed by method ${entry.method}.`);
    try {
      return inflateRawSync(packed, { maxOutputLength: mostUnpackedBytes, chunkSize: chunkBytes(packed.length) });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw unpackedTooMuch();
      throw cannotBeUnpacked(entry);
    }
  }
}

/** Names of parts are the same in small letters and capitals, and some programs write them as Windows does. */
const partName = (name: string): string => name.replaceAll("\\", "/").toLowerCase();

const cannotBeUnpacked = ({ name }: ZipEntry) =>
  new UnreadableFile(`The file is damaged: ${name} in it cannot be unpacked.`);

/** Text shrinks to about a fifth. Larger chunks are fewer to put together, and a small part needs no large one. */
const chunkBytes = (bytes: number): number => Math.min(Math.max(4 * bytes, 4_096), 1_048_576);

/** Whether its packing is one of the two that nearly all archives have. */
export const isUnpackedHere = ({ method, isEncrypted }: ZipEntry): boolean =>
  isEncrypted || method === stored || method === deflated;

/** What one file may unpack to, with everything inside it. */
export const mostUnpackedBytes = 104_857_600;

/** Ends the reading of the whole file, whichever of the files inside it was being read. */
export class UnpackedTooMuch extends UnreadableFile {}

export const unpackedTooMuch = (): UnpackedTooMuch =>
  new UnpackedTooMuch(`The file unpacks to more than ${mostUnpackedBytes / 1_048_576} MB.`);

/** One file of an archive, as the archive's directory tells of it. Nothing that it says of sizes is believed. */
export interface ZipEntry {
  /** Only a name: nothing is ever written under it. */
  readonly name: string;
  /** The name as the archive has it, where it is none of UTF-8: what script it is in is told by all names together. */
  readonly oldName: Buffer | null;
  readonly method: number;
  readonly isEncrypted: boolean;
  readonly checksum: number;
  /** Its bytes in the archive; undefined where its header is damaged, or they would end after the archive does. */
  packed(): Buffer | undefined;
}

const endSignature = Buffer.from("PK\x05\x06", "latin1");
const endBytes = 22;
/** A record of more than 4 GB stands before the end, whose own sizes say nothing then. */
const largeSignature = Buffer.from("PK\x06\x07", "latin1");
const largeBytes = 20;

/**
 * The archive alone, where bytes stand behind its end or before its beginning: downloads and programs that unpack
 * themselves leave some. Its last record says where it begins and ends.
 */
function withoutSurroundings(bytes: Buffer): Buffer {
  const at = bytes.lastIndexOf(endSignature);
  if (at < 0 || at + endBytes > bytes.length) return bytes;
  const [directoryBytes, directoryAt] = [bytes.readUInt32LE(at + 12), bytes.readUInt32LE(at + 16)];
  const end = at + endBytes + bytes.readUInt16LE(at + 20);
  const start = at - directoryBytes - directoryAt;
  const isLarge = at >= largeBytes && bytes.indexOf(largeSignature, at - largeBytes) === at - largeBytes;
  return bytes.subarray(isLarge || start < 0 ? 0 : start, end);
}

/** More are no office file and no archive that anybody reads. */
const mostEntries = 65_536;

/** @throws UnreadableFile where there is no directory, or it ends before all entries that it announces. */
function readZipDirectory(bytes: Buffer): readonly ZipEntry[] {
  try {
    return readEntries(open(bytes), bytes);
  } catch (error) {
    throw error instanceof UnreadableFile ? error : unreadable(error);
  }
}

/** Another program may still find files in it. */
export class DamagedDirectory extends UnreadableFile {}

/** One entry under strong encryption ends the reading of the directory. */
const unreadable = (error: unknown): UnreadableFile =>
  error instanceof Error && error.message === "strong encryption is not supported"
    ? new EncryptedFile("The file is encrypted.")
    : new DamagedDirectory("The file is damaged: its ZIP directory cannot be read.");

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
  return calledBack(opened[0]);
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
    calledBack(entries[at]);
  }
  return entries;
}

/** What yauzl puts off to a later turn is nothing that an archive needs: an empty one, or an entry without a name. */
function calledBack<T>(found: T | undefined): T {
  if (found === undefined) throw new Error("There is none.");
  return found;
}

const entryOf = (entry: Entry, archive: ZipFile, bytes: Buffer): ZipEntry => ({
  ...namesOf(entry.fileNameRaw),
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

/** Names are UTF-8, or what DOS wrote. The flag that should tell is often wrong. */
const namesOf = (bytes: Buffer): Pick<ZipEntry, "name" | "oldName"> =>
  isUtf8(bytes)
    ? { name: bytes.toString("utf8"), oldName: null }
    : { name: decodeAs(bytes, "cp850") ?? "", oldName: bytes };
