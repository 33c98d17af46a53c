import { burn, type Entry } from "@kenjiuno/msgreader/lib/Burner.js";

/** Kinds of entries of a compound file. */
const [folder, stream, root] = [1, 2, 5];

/** What Outlook keeps of a message, or of a part of it, by the tags of its properties: text, bytes, or a number. */
export interface OutlookItem {
  readonly texts?: Readonly<Record<string, string>>;
  /** Texts in a code page. */
  readonly ansi?: Readonly<Record<string, Uint8Array>>;
  readonly bytes?: Readonly<Record<string, Uint8Array>>;
  readonly numbers?: Readonly<Record<number, number>>;
  readonly times?: Readonly<Record<number, Date>>;
}

/** A message as Outlook saves it. */
export function outlookMessage(
  message: OutlookItem,
  recipients: readonly OutlookItem[] = [],
  attachments: readonly OutlookItem[] = [],
): Buffer {
  const entries: Entry[] = [{ name: "Root Entry", type: root, length: 0, children: [] }];
  const add = (parent: number, entry: Entry): number => {
    entries[parent]?.children?.push(entries.length);
    return entries.push(entry) - 1;
  };
  const addItem = (parent: number, item: OutlookItem, headerBytes: number): void => {
    for (const [name, bytes] of streamsOf(item, headerBytes))
      add(parent, { name, type: stream, length: bytes.length, binaryProvider: () => Uint8Array.from(bytes) });
  };
  const addFolder = (name: string): number => add(0, { name, type: folder, length: 0, children: [] });
  addFolder("__nameid_version1.0");
  recipients.forEach((recipient, at) => addItem(addFolder(`__recip_version1.0_#0000000${at}`), recipient, 8));
  attachments.forEach((attachment, at) => addItem(addFolder(`__attach_version1.0_#0000000${at}`), attachment, 8));
  addItem(0, message, 32);
  return Buffer.from(burn(entries));
}

function* streamsOf(item: OutlookItem, headerBytes: number): Generator<readonly [string, Buffer]> {
  for (const [tag, text] of Object.entries(item.texts ?? {}))
    yield [`__substg1.0_${tag}001F`, Buffer.from(text, "utf16le")];
  for (const [tag, bytes] of Object.entries(item.ansi ?? {})) yield [`__substg1.0_${tag}001E`, Buffer.from(bytes)];
  for (const [tag, bytes] of Object.entries(item.bytes ?? {})) yield [`__substg1.0_${tag}0102`, Buffer.from(bytes)];
  const properties = [
    ...Object.entries(item.numbers ?? {}).map(([tag, value]) => property(Number(tag), 0x0003, BigInt(value))),
    ...Object.entries(item.times ?? {}).map(([tag, value]) => property(Number(tag), 0x0040, fileTime(value))),
  ];
  yield ["__properties_version1.0", Buffer.concat([Buffer.alloc(headerBytes), ...properties])];
}

function property(tag: number, type: number, value: bigint): Buffer {
  const bytes = Buffer.alloc(16);
  bytes.writeUInt16LE(type, 0);
  bytes.writeUInt16LE(tag, 2);
  bytes.writeBigUInt64LE(value, 8);
  return bytes;
}

/** Tenths of microseconds since 1601. */
const fileTime = (time: Date): bigint => (BigInt(time.getTime()) + 11_644_473_600_000n) * 10_000n;

/** RTF as Outlook keeps it, not packed any smaller: groups of eight literal bytes. */
export function compressedRtf(rtf: string): Buffer {
  const groups: Buffer[] = [];
  for (let at = 0; at < rtf.length; at += 8)
    groups.push(Buffer.from([0]), Buffer.from(rtf.slice(at, at + 8), "latin1"));
  const packed = Buffer.concat(groups);
  const header = Buffer.alloc(16);
  header.writeUInt32LE(packed.length + 12, 0);
  header.writeUInt32LE(rtf.length, 4);
  header.write("LZFu", 8, "latin1");
  return Buffer.concat([header, packed]);
}
