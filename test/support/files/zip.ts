import { crc32, deflateRawSync } from "node:zlib";

/** What an archive says of an entry, where that is to be no truth. */
export interface ZipClaims {
  /** How large the entry is said to be once it is unpacked. */
  readonly unpackedBytes?: number;
  readonly isEncrypted?: boolean;
}

/** Bytes that are packed already: a bomb is packed once, and used often. */
export interface Packed {
  readonly packed: Buffer;
  readonly checksum: number;
  readonly unpackedBytes: number;
}

export type ZipContent = string | Uint8Array | Packed;

/** Packs bytes, so that several archives may hold them. */
export const packed = (content: string | Uint8Array): Packed => {
  const bytes = Buffer.from(content as string);
  return { packed: deflateRawSync(bytes, { level: 1 }), checksum: crc32(bytes), unpackedBytes: bytes.length };
};

/** A ZIP archive of these entries, in order. */
export function zip(entries: Readonly<Record<string, ZipContent>>, claims: ZipClaims = {}): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, content] of Object.entries(entries)) {
    const entry = typeof content === "object" && "packed" in content ? content : packed(content);
    const fields = commonFields(Buffer.from(name), entry, claims);
    const file = Buffer.concat([Buffer.from("PK\x03\x04"), fields, Buffer.from(name), entry.packed]);
    directory.push(directoryEntry(name, fields, at));
    files.push(file);
    at += file.length;
  }
  return Buffer.concat([...files, ...directory, end(directory, at)]);
}

/** From the version that is needed to the length of the extra field. */
function commonFields(name: Buffer, entry: Packed, { unpackedBytes, isEncrypted = false }: ZipClaims): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(isEncrypted ? 1 : 0, 2);
  fields.writeUInt16LE(8, 4);
  fields.writeUInt32LE(entry.checksum, 10);
  fields.writeUInt32LE(entry.packed.length, 14);
  fields.writeUInt32LE(unpackedBytes ?? entry.unpackedBytes, 18);
  fields.writeUInt16LE(name.length, 22);
  return fields;
}

function directoryEntry(name: string, fields: Buffer, headerAt: number): Buffer {
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(headerAt, 10);
  return Buffer.concat([Buffer.from("PK\x01\x02"), Buffer.from([20, 0]), fields, rest, Buffer.from(name)]);
}

function end(directory: readonly Buffer[], at: number): Buffer {
  const record = Buffer.alloc(22);
  record.write("PK\x05\x06", "latin1");
  record.writeUInt16LE(directory.length, 8);
  record.writeUInt16LE(directory.length, 10);
  record.writeUInt32LE(
    directory.reduce((bytes, { length }) => bytes + length, 0),
    12,
  );
  record.writeUInt32LE(at, 16);
  return record;
}
