import { inflateSync } from "node:zlib";
import { mostUnpackedBytes, UnpackedTooMuch } from "../archive/zipArchive.js";
import { CompoundFile, compoundFacts } from "../compound/compoundFile.js";
import { embeddedObject } from "../compound/embeddedObject.js";
import { TextBuilder } from "../textBuilder.js";
import { EncryptedFile, UnreadableFile, type InnerFile, type Reader, type ReadingContext } from "./reader.js";

/** Kinds of records that hold text, or say where it is. */
const kinds = {
  document: 1000,
  slideAtom: 1007,
  slidePlace: 1011,
  placeholder: 3011,
  outlineReference: 3998,
  wideText: 4000,
  text: 4008,
  wideLine: 4026,
  slideList: 4080,
  userEdit: 4085,
  headersFooters: 4057,
  embedded: 4113,
  directory: 6002,
  shape: 0xf004,
} as const;

/** Presentations of PowerPoint before 2007: slides in their order, each with its notes. */
export const ppt: Reader = {
  async read({ bytes }, context) {
    const file = new CompoundFile(bytes);
    const presentation = openPresentation(file);
    const text = new TextBuilder(context.maxCharacters);
    const slides = listed(presentation, lists.slides);
    const notes = new Map(listed(presentation, lists.notes).map((page) => [page.id, page]));
    for (const slide of slides) {
      if (text.isFull) break;
      for (const line of linesOf(presentation, slide, notes)) text.addLines(line);
    }
    for (const line of linesOfMasters(presentation)) text.addLines(line);
    const facts = { ...compoundFacts(file), pageCount: slides.length || undefined };
    return { text: text.toString(), facts, parts: embeddedIn(presentation, context) };
  },
};

interface Presentation {
  readonly stream: Buffer;
  /** Where the objects of the newest version lie, by their numbers. */
  readonly places: ReadonlyMap<number, number>;
  readonly document: StoredRecord;
}

/** One record of a stream: its kind, and where its content lies. */
interface StoredRecord {
  readonly kind: number;
  readonly instance: number;
  readonly isContainer: boolean;
  readonly start: number;
  readonly end: number;
}

const headBytes = 8;
const containerVersion = 0xf;
const encryptedToken = 0xf3d1c4df;
/** So often a presentation is saved without being written anew. */
const mostEdits = 10_000;
/** Deeper shapes in groups are made to exhaust their reader. */
const deepestRecord = 100;

const newerHalf = "PP97_DUALSTORAGE/";

function openPresentation(file: CompoundFile): Presentation {
  // What is written for PowerPoint 95 as well has its newer half in a storage of its own.
  const within = file.has(`${newerHalf}PowerPoint Document`) ? newerHalf : "";
  const stream = file.requiredStream(`${within}PowerPoint Document`);
  const user = file.requiredStream(`${within}Current User`);
  if (user.length >= 16 && user.readUInt32LE(12) === encryptedToken)
    throw new EncryptedFile("The presentation is encrypted.");
  const edits = editsOf(stream, user.readUInt32LE(16));
  const places = new Map<number, number>();
  for (const { directory } of edits.toReversed()) readDirectory(stream, directory, places);
  const documentAt = places.get(edits[0]?.document ?? 0);
  const document = documentAt === undefined ? null : recordAt(stream, documentAt, stream.length);
  if (document?.kind !== kinds.document)
    throw new UnreadableFile("The presentation is damaged: its slides are missing.");
  return { stream, places, document };
}

interface Edit {
  readonly directory: number;
  /** The number of the document's record. */
  readonly document: number;
}

/** What was saved, the newest first. */
function editsOf(stream: Buffer, newest: number): readonly Edit[] {
  const edits: Edit[] = [];
  const seen = new Set<number>();
  for (let at = newest; at > 0 && !seen.has(at) && edits.length < mostEdits;) {
    seen.add(at);
    const record = recordAt(stream, at, stream.length);
    if (record?.kind !== kinds.userEdit) break;
    at = stream.readUInt32LE(record.start + 8);
    edits.push({ directory: stream.readUInt32LE(record.start + 12), document: stream.readUInt32LE(record.start + 16) });
  }
  return edits;
}

const numberBits = 20;

/** A directory holds runs: the first number and how many follow, and then a place each. */
function readDirectory(stream: Buffer, at: number, places: Map<number, number>): void {
  const record = recordAt(stream, at, stream.length);
  if (record?.kind !== kinds.directory) return;
  for (let from = record.start; from + 4 <= record.end;) {
    const run = stream.readUInt32LE(from);
    const [first, count] = [run & (2 ** numberBits - 1), run >>> numberBits];
    from += 4;
    for (let index = 0; index < count && from + 4 <= record.end; index += 1, from += 4)
      places.set(first + index, stream.readUInt32LE(from));
  }
}

function recordAt(stream: Buffer, at: number, limit: number): StoredRecord | null {
  if (at + headBytes > limit) return null;
  const [mark, kind, length] = [stream.readUInt16LE(at), stream.readUInt16LE(at + 2), stream.readUInt32LE(at + 4)];
  const start = at + headBytes;
  const end = Math.min(start + length, limit);
  return { kind, instance: mark >> 4, isContainer: (mark & 0xf) === containerVersion, start, end };
}

function* recordsIn(stream: Buffer, { start, end }: StoredRecord): Generator<StoredRecord> {
  for (let at = start; at < end;) {
    const record = recordAt(stream, at, end);
    if (record === null) return;
    yield record;
    at = record.end;
  }
}

/** A slide or a page of notes, as the list of all names it. */
interface Slide {
  readonly place: number;
  readonly id: number;
  /** The texts that the outline shows of it. */
  readonly outline: string[];
}

const lists = { slides: 0, masters: 1, notes: 2 } as const;

function listed({ stream, document }: Presentation, list: number): readonly Slide[] {
  const slides: Slide[] = [];
  for (const container of recordsIn(stream, document)) {
    if (container.kind !== kinds.slideList || container.instance !== list) continue;
    for (const record of recordsIn(stream, container)) {
      if (record.kind === kinds.slidePlace)
        slides.push({
          place: stream.readUInt32LE(record.start),
          id: stream.readUInt32LE(record.start + 12),
          outline: [],
        });
      const text = textOf(stream, record);
      if (text !== null) slides.at(-1)?.outline.push(text);
    }
  }
  return slides;
}

function textOf(stream: Buffer, { kind, start, end }: StoredRecord): string | null {
  if (kind === kinds.wideText || kind === kinds.wideLine) return stream.toString("utf16le", start, end);
  return kind === kinds.text ? stream.toString("latin1", start, end) : null;
}

/** What a slide shows, and then its notes. */
function linesOf(presentation: Presentation, slide: Slide, notes: ReadonlyMap<number, Slide>): readonly string[] {
  const { stream } = presentation;
  const record = slideRecord(presentation, slide);
  if (record === null) return slide.outline.flatMap(shownLines);
  const notesPage = notes.get(notesIdOf(stream, record));
  const notesRecord = notesPage === undefined ? null : slideRecord(presentation, notesPage);
  return [
    ...textsOf(stream, record, slide.outline),
    ...(notesPage === undefined || notesRecord === null ? [] : textsOf(stream, notesRecord, notesPage.outline)),
  ].flatMap(shownLines);
}

function slideRecord({ stream, places }: Presentation, { place }: Slide): StoredRecord | null {
  const at = places.get(place);
  return at === undefined ? null : recordAt(stream, at, stream.length);
}

function notesIdOf(stream: Buffer, slide: StoredRecord): number {
  for (const record of recordsIn(stream, slide))
    if (record.kind === kinds.slideAtom && record.end - record.start >= 20)
      return stream.readUInt32LE(record.start + 16);
  return 0;
}

/** What stands on every slide: shapes of masters that no slide fills itself, headers and footers. Each line once. */
function linesOfMasters(presentation: Presentation): ReadonlySet<string> {
  const { stream, document } = presentation;
  const masters = listed(presentation, lists.masters).flatMap((master) => slideRecord(presentation, master) ?? []);
  const texts = masters.flatMap((master) => textsIn(stream, master, { outline: [], isMaster: true }));
  for (const record of recordsIn(stream, document))
    if (record.kind === kinds.headersFooters) texts.push(...textsIn(stream, record, { outline: [], isMaster: false }));
  return new Set(texts.flatMap(shownLines));
}

/** The texts of shapes in their order; those of the outline stand where the shapes refer to them, or before all. */
function textsOf(stream: Buffer, slide: StoredRecord, outline: readonly string[]): readonly string[] {
  const shown = new Set<number>();
  const texts = textsIn(stream, slide, { outline, isMaster: false, shown });
  return [...outline.filter((_, at) => !shown.has(at)), ...texts];
}

interface Gathering {
  /** The texts that shapes refer to by their numbers. */
  readonly outline: readonly string[];
  /** Which of them were shown. */
  readonly shown?: Set<number>;
  /** Whether shapes are left out that each slide fills with a text of its own. */
  readonly isMaster: boolean;
}

function textsIn(stream: Buffer, within: StoredRecord, gathering: Gathering, depth = 0): string[] {
  const texts: string[] = [];
  for (const record of recordsIn(stream, within)) {
    if (gathering.isMaster && record.kind === kinds.shape && holds(stream, record, kinds.placeholder)) continue;
    if (record.isContainer && depth < deepestRecord) texts.push(...textsIn(stream, record, gathering, depth + 1));
    const text = shapeText(stream, record, gathering, within);
    if (text !== null) texts.push(text);
  }
  return texts;
}

function shapeText(stream: Buffer, record: StoredRecord, gathering: Gathering, within: StoredRecord): string | null {
  if (record.kind === kinds.outlineReference && record.end - record.start >= 4) {
    const at = stream.readUInt32LE(record.start);
    gathering.shown?.add(at);
    return gathering.outline[at] ?? null;
  }
  // Lines of other records are names of fonts, styles and programs.
  return record.kind === kinds.wideLine && within.kind !== kinds.headersFooters ? null : textOf(stream, record);
}

function holds(stream: Buffer, within: StoredRecord, kind: number, depth = 0): boolean {
  if (depth > deepestRecord) return false;
  for (const record of recordsIn(stream, within))
    if (record.kind === kind || (record.isContainer && holds(stream, record, kind, depth + 1))) return true;
  return false;
}

/** Programs' objects on the slides, such as tables of Word and charts. Most are packed, behind their size. */
function embeddedIn({ stream, places }: Presentation, context: ReadingContext): readonly InnerFile[] {
  const records = [...places.values()].flatMap((at) => recordAt(stream, at, stream.length) ?? []);
  return records
    .filter(({ kind }) => kind === kinds.embedded)
    .flatMap(({ start, end, instance }, at) => {
      const bytes = instance === 1 ? unpacked(stream.subarray(start + 4, end), context) : stream.subarray(start, end);
      return (bytes === null ? null : embeddedObject(bytes, `Object ${at + 1}`)) ?? [];
    });
}

/** null: it is damaged. */
function unpacked(packed: Buffer, context: ReadingContext): Buffer | null {
  try {
    const bytes = inflateSync(packed, { maxOutputLength: mostUnpackedBytes });
    context.unpacked(bytes.length);
    return bytes;
  } catch (error) {
    if (error instanceof UnpackedTooMuch) throw error;
    return null;
  }
}

/** A star stands where a number of a slide or a date is shown. */
const shownLines = (text: string): readonly string[] =>
  text
    .split(/[\r\n\v]/)
    .map((line) => line.replace(/(?!\t)\p{Cc}/gu, "").trim())
    .filter((line) => line !== "" && line !== "*");
