import { crc32, inflateRawSync } from "node:zlib";
import { UnreadableFile, type ReadingContext } from "../readers/reader.js";
import { mostUnpackedBytes, unpackedTooMuch } from "./unpackedBytes.js";
import { readZipDirectory, type ZipEntry } from "./zipDirectory.js";

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
    this.entries = readZipDirectory(bytes);
    for (const entry of this.entries) this.byName.set(entry.name, entry);
  }

  has(name: string): boolean {
    return this.byName.has(name);
  }

  /** The bytes of a part; null where there is none of this name. */
  part(name: string): Buffer | null {
    const entry = this.byName.get(name);
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
    if (entry.isEncrypted) throw new UnreadableFile("The file is encrypted.");
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

const cannotBeUnpacked = ({ name }: ZipEntry) =>
  new UnreadableFile(`The file is damaged: ${name} in it cannot be unpacked.`);

/** Text shrinks to about a fifth. Larger chunks are fewer to put together, and a small part needs no large one. */
const chunkBytes = (packedBytes: number): number => Math.min(Math.max(4 * packedBytes, 4_096), 1_048_576);
