import * as cfb from "cfb";
import iconv from "iconv-lite";
import { oneLine, titleOf } from "../readers/factValues.js";
import { UnreadableFile, type FileText } from "../readers/reader.js";

// The package is CommonJS, and so is all of it where it is imported by its default name.
const { read } = (cfb as unknown as { readonly default: typeof cfb }).default;

/** Where files of Office before 2007, Outlook messages and embedded objects keep their streams. */
export class CompoundFile {
  /** The streams by their paths, in lower case and without the name of the root. */
  private readonly streams = new Map<string, Buffer>();
  /** The class of the program that the file belongs to, in hex; zeros where none is named. */
  readonly classId: string;

  /** @throws UnreadableFile where its directory cannot be read. */
  constructor(bytes: Buffer) {
    const { FullPaths: paths, FileIndex: entries } = containerOf(bytes);
    this.classId = entries[0]?.clsid.toLowerCase() ?? "";
    entries.forEach((entry, at) => {
      const path = paths[at]?.replace(/^[^/]*\//, "").toLowerCase() ?? "";
      // A storage ends with a slash, and an entry without content is none that anybody reads.
      if (path !== "" && !path.endsWith("/") && entry.content !== undefined)
        this.streams.set(path, Buffer.from(entry.content as Uint8Array));
    });
  }

  has(path: string): boolean {
    return this.streams.has(path.toLowerCase());
  }

  stream(path: string): Buffer | null {
    return this.streams.get(path.toLowerCase()) ?? null;
  }

  /** @throws UnreadableFile where there is none of this name: without it the file holds nothing. */
  requiredStream(path: string): Buffer {
    const stream = this.stream(path);
    if (stream === null) throw new UnreadableFile(`The file is damaged: ${path} in it is missing.`);
    return stream;
  }
}

function containerOf(bytes: Buffer): cfb.CFB$Container {
  try {
    return read(bytes, { type: "buffer" });
  } catch (error) {
    throw new UnreadableFile("The file is damaged: its directory cannot be read.", { cause: error });
  }
}

/** Numbers of the properties that Office keeps of a file. */
const properties = { codePage: 1, title: 2, author: 4, created: 12, modified: 13, pages: 14 } as const;

/** What Office says of a file in a stream of its own. A damaged one says nothing. */
export function compoundFacts(file: CompoundFile): FileText["facts"] {
  const stream = file.stream("\u0005SummaryInformation");
  const said = stream === null ? new Map<number, PropertyValue>() : propertiesOf(stream);
  const text = (property: number): string | undefined => {
    const value = said.get(property);
    return typeof value === "string" ? oneLine(value) : undefined;
  };
  const time = (property: number): string | undefined => {
    const value = said.get(property);
    return value instanceof Date && value.getUTCFullYear() > 1900 ? value.toISOString() : undefined;
  };
  const pages = said.get(properties.pages);
  return {
    title: titleOf(text(properties.title)),
    author: text(properties.author),
    pageCount: typeof pages === "number" && pages > 0 ? pages : undefined,
    createdAt: time(properties.created),
    modifiedAt: time(properties.modified),
  };
}

type PropertyValue = string | number | Date;

const mostProperties = 1_000;

function propertiesOf(stream: Buffer): ReadonlyMap<number, PropertyValue> {
  const found = new Map<number, PropertyValue>();
  try {
    const set = stream.readUInt32LE(44);
    const count = Math.min(stream.readUInt32LE(set + 4), mostProperties);
    const places = Array.from({ length: count }, (_, at) => set + 8 + at * 8);
    const offsets = new Map(places.map((at) => [stream.readUInt32LE(at), set + stream.readUInt32LE(at + 4)]));
    const codePageAt = offsets.get(properties.codePage);
    const codePage = codePageAt === undefined ? 1252 : stream.readUInt16LE(codePageAt + 4);
    for (const [property, at] of offsets) {
      const value = valueAt(stream, at, codePage);
      if (value !== null) found.set(property, value);
    }
  } catch {
    // What was read before the damage counts.
  }
  return found;
}

/** Types of values: a number, text of the code page, text of UTF-16, a time. */
const types = { number: 3, text: 30, wideText: 31, time: 64 } as const;

function valueAt(stream: Buffer, at: number, codePage: number): PropertyValue | null {
  const length = (): number => stream.readUInt32LE(at + 4);
  switch (stream.readUInt16LE(at)) {
    case types.number:
      return stream.readInt32LE(at + 4);
    case types.text:
      return decodedAs(codePage, stream.subarray(at + 8, at + 8 + length())).split("\0", 1)[0] ?? "";
    case types.wideText:
      return stream.toString("utf16le", at + 8, at + 8 + length() * 2).split("\0", 1)[0] ?? "";
    case types.time:
      return timeOf(stream.readBigUInt64LE(at + 4));
    default:
      return null;
  }
}

/** Tenths of microseconds from 1601 on. */
const timeOf = (ticks: bigint): Date => new Date(Number(ticks / 10_000n) - 11_644_473_600_000);

const ofMacintosh: Readonly<Record<number, string>> = {
  10_000: "macintosh",
  10_006: "macgreek",
  10_007: "maccyrillic",
  10_029: "maccenteuro",
  10_081: "macturkish",
};

/** The text that bytes are in a code page of Windows; in the Western European one where there is no such. */
export function decodedAs(codePage: number, bytes: Buffer): string {
  if (codePage === 1200) return bytes.toString("utf16le");
  if (codePage === 65_001) return bytes.toString("utf8");
  const encoding = ofMacintosh[codePage] ?? `cp${codePage}`;
  return iconv.decode(bytes, iconv.encodingExists(encoding) ? encoding : "cp1252");
}
