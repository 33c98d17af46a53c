import iconv from "iconv-lite";
import { UnreadableFile } from "../readers/reader.js";

/** One file of an archive, as the archive's directory tells of it. Nothing that it says of sizes is believed. */
export interface ZipEntry {
  /** Only a name: nothing is ever written under it. */
  readonly name: string;
  readonly method: number;
  readonly isEncrypted: boolean;
  readonly checksum: number;
  readonly packedBytes: number;
  readonly headerAt: number;
}

const endSignature = Buffer.from("PK\x05\x06", "latin1");
const end64Signature = 0x06064b50;
const locatorSignature = 0x07064b50;
const entrySignature = 0x02014b50;
const endBytes = 22;
const locatorBytes = 20;
const entryBytes = 46;
/** More are no office file and no archive that anybody reads. */
const mostEntries = 65_536;
/** A field that is written so stands in the extra field for large archives. */
const elsewhere = 0xffffffff;
const wideFields = 0x0001;

/** @throws UnreadableFile where there is no directory, or it ends before all entries that it announces. */
export function readZipDirectory(bytes: Buffer): readonly ZipEntry[] {
  try {
    return readEntries(bytes);
  } catch (error) {
    if (error instanceof UnreadableFile) throw error;
    throw damaged();
  }
}

const damaged = () => new UnreadableFile("The file is damaged: its ZIP directory cannot be read.");

function readEntries(bytes: Buffer): readonly ZipEntry[] {
  const { count, start, said } = locate(bytes);
  if (count > mostEntries) throw new UnreadableFile(`The archive holds more than ${mostEntries} files.`);
  const entries: ZipEntry[] = [];
  for (let at = start; entries.length < count;) {
    if (bytes.readUInt32LE(at) !== entrySignature) throw damaged();
    entries.push(readEntry(bytes, at));
    at += entryBytes + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  const shift = start - said;
  return shift === 0 ? entries : entries.map((entry) => ({ ...entry, headerAt: entry.headerAt + shift }));
}

interface Place {
  readonly count: number;
  /** Where the directory starts. */
  readonly start: number;
  /** Where it is said to start: what stands before the archive, as in one that unpacks itself, is not counted. */
  readonly said: number;
}

function locate(bytes: Buffer): Place {
  const end = bytes.lastIndexOf(endSignature);
  if (end === -1 || end + endBytes > bytes.length) throw damaged();
  const locator = end - locatorBytes;
  if (locator >= 0 && bytes.readUInt32LE(locator) === locatorSignature) return locateLarge(bytes, locator);
  const [size, said] = [bytes.readUInt32LE(end + 12), bytes.readUInt32LE(end + 16)];
  return { count: bytes.readUInt16LE(end + 10), start: end - size, said };
}

function locateLarge(bytes: Buffer, locator: number): Place {
  const end = Number(bytes.readBigUInt64LE(locator + 8));
  if (bytes.readUInt32LE(end) !== end64Signature) throw damaged();
  const said = Number(bytes.readBigUInt64LE(end + 48));
  return { count: Number(bytes.readBigUInt64LE(end + 32)), start: said, said };
}

function readEntry(bytes: Buffer, at: number): ZipEntry {
  const flags = bytes.readUInt16LE(at + 8);
  const nameEnd = at + entryBytes + bytes.readUInt16LE(at + 28);
  const extra = bytes.subarray(nameEnd, nameEnd + bytes.readUInt16LE(at + 30));
  const sizes = [24, 20, 42].map((offset) => bytes.readUInt32LE(at + offset));
  const [, packedBytes = 0, headerAt = 0] = wideNumbers(sizes, extra);
  return {
    name: decodeName(bytes.subarray(at + entryBytes, nameEnd)),
    method: bytes.readUInt16LE(at + 10),
    isEncrypted: (flags & 1) === 1,
    checksum: bytes.readUInt32LE(at + 16),
    packedBytes,
    headerAt,
  };
}

/** Unpacked size, packed size and place of the header, each from the extra field where it is said to stand there. */
function wideNumbers(numbers: readonly number[], extra: Buffer): readonly number[] {
  if (!numbers.includes(elsewhere)) return numbers;
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== wideFields) continue;
    let next = at + 4;
    return numbers.map((number) => {
      if (number !== elsewhere) return number;
      next += 8;
      return Number(extra.readBigUInt64LE(next - 8));
    });
  }
  return numbers;
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
