import { deflateSync } from "node:zlib";
import * as cfb from "cfb";
import * as sheets from "@e965/xlsx";

// The package is CommonJS, and so is all of it where it is imported by its default name.
const { utils, write } = (cfb as unknown as { readonly default: typeof cfb }).default;

/** A compound file of these streams, by their paths. */
export function compoundFile(streams: Readonly<Record<string, Buffer>>): Buffer {
  const file = utils.cfb_new();
  for (const [path, content] of Object.entries(streams)) utils.cfb_add(file, `/${path}`, content);
  return Buffer.from(write(file, { type: "buffer" }) as Uint8Array);
}

/** The properties that Office keeps of a file: title and author in a code page, and when it was made. */
export function summary({ title, author, created }: { title: string; author: string; created: Date }): Buffer {
  const texts: readonly (readonly [number, Buffer])[] = [
    [2, Buffer.from(`${title}\0`, "latin1")],
    [4, Buffer.from(`${author}\0`, "latin1")],
  ];
  const values: (readonly [number, Buffer])[] = texts.map(([property, text]) => {
    const head = Buffer.alloc(8);
    head.writeUInt32LE(30, 0);
    head.writeUInt32LE(text.length, 4);
    return [property, Buffer.concat([head, text, Buffer.alloc((4 - (text.length % 4)) % 4)])];
  });
  const time = Buffer.alloc(12);
  time.writeUInt32LE(64, 0);
  time.writeBigUInt64LE(BigInt(created.getTime() + 11_644_473_600_000) * 10_000n, 4);
  values.push([12, time]);
  const set = Buffer.alloc(48);
  set.writeUInt16LE(0xfffe, 0);
  set.writeUInt32LE(48, 44);
  const places = Buffer.alloc(8 + values.length * 8);
  places.writeUInt32LE(values.length, 4);
  let at = places.length;
  values.forEach(([property, value], index) => {
    places.writeUInt32LE(property, 8 + index * 8);
    places.writeUInt32LE(at, 12 + index * 8);
    at += value.length;
  });
  return Buffer.concat([set, places, ...values.map(([, value]) => value)]);
}

/** A run of text of a Word document: in one byte a character, or in two. */
export interface WordPiece {
  readonly text: string;
  readonly isWide?: boolean;
}

interface WordStories {
  readonly body: readonly WordPiece[];
  readonly footnotes?: string;
  readonly headers?: string;
  readonly isEncrypted?: boolean;
}

/** A document of Word 97, in pieces. */
export function word97({ body, footnotes = "", headers = "", isEncrypted = false }: WordStories, more = {}): Buffer {
  const head = Buffer.alloc(0x400);
  head.writeUInt16LE(0xa5ec, 0);
  head.writeUInt16LE(isEncrypted ? 0x0100 : 0, 10);
  const pieces = [...body, { text: footnotes }, { text: headers }];
  const runs: Buffer[] = [];
  const places: number[] = [];
  let at = head.length;
  for (const { text, isWide = false } of pieces) {
    const bytes = Buffer.from(text, isWide ? "utf16le" : "latin1");
    places.push(isWide ? at : 0x40000000 + at * 2);
    runs.push(bytes, Buffer.alloc(bytes.length % 2));
    at += bytes.length + (bytes.length % 2);
  }
  const lengths = [body.reduce((sum, { text }) => sum + text.length, 0), footnotes.length, headers.length];
  lengths.forEach((length, index) => head.writeUInt32LE(length, 0x4c + index * 4));
  const table = pieceTable(
    pieces.map(({ text }) => text.length),
    places,
  );
  head.writeUInt32LE(table.length, 0x1a6);
  // Small streams lie elsewhere in a compound file, so that this one is made large.
  const document = Buffer.concat([head, ...runs, Buffer.alloc(4_096)]);
  return compoundFile({ WordDocument: document, "0Table": table, ...more });
}

function pieceTable(lengths: readonly number[], places: readonly number[]): Buffer {
  // What the formatting needs stands before it.
  const formatting = Buffer.from([1, 2, 0, 9, 9]);
  const table = Buffer.alloc(5 + (lengths.length + 1) * 4 + lengths.length * 8);
  table.writeUInt8(2, 0);
  table.writeUInt32LE(table.length - 5, 1);
  let characters = 0;
  lengths.forEach((length, index) => {
    characters += length;
    table.writeUInt32LE(characters, 5 + (index + 1) * 4);
    table.writeUInt32LE(places[index] ?? 0, 5 + (lengths.length + 1) * 4 + index * 8 + 2);
  });
  return Buffer.concat([formatting, table]);
}

/** A document of Word 6 in one run, in the code page of a language. */
export function word6(text: Buffer, language: number): Buffer {
  const head = Buffer.alloc(0x300);
  head.writeUInt16LE(0xa5dc, 0);
  head.writeUInt16LE(language, 6);
  head.writeUInt32LE(head.length, 0x18);
  head.writeUInt32LE(head.length + text.length, 0x1c);
  head.writeUInt32LE(text.length, 0x34);
  return compoundFile({ WordDocument: Buffer.concat([head, text, Buffer.alloc(4_096)]) });
}

type Content = Buffer | readonly Buffer[];

/** A record of a PowerPoint presentation; one that holds records is a container. */
export function slideRecord(kind: number, content: Content, instance = 0): Buffer {
  const bytes = Buffer.isBuffer(content) ? content : Buffer.concat(content);
  const head = Buffer.alloc(8);
  head.writeUInt16LE((instance << 4) | (Buffer.isBuffer(content) ? 0 : 0xf), 0);
  head.writeUInt16LE(kind, 2);
  head.writeUInt32LE(bytes.length, 4);
  return Buffer.concat([head, bytes]);
}

const numbers = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, at) => bytes.writeUInt32LE(value, at * 4));
  return bytes;
};

const wide = (text: string): Buffer => slideRecord(4000, Buffer.from(text, "utf16le"));
/** A shape with a text, or one that shows a text of the outline. */
const shapeOf = (inside: Buffer, ...marks: readonly Buffer[]): Buffer =>
  slideRecord(0xf004, [...marks, slideRecord(0xf00d, [inside])]);

export interface OldSlide {
  /** Texts that the outline shows, and shapes refer to. */
  readonly outline: readonly string[];
  readonly shapes: readonly string[];
  readonly notes?: string;
}

/** A presentation of PowerPoint 97. What it was before stands in the file as well, as it does after a fast save. */
export function powerPoint97(slides: readonly OldSlide[], master: string, embedded: readonly Buffer[] = []): Buffer {
  const objects: Buffer[] = [];
  const add = (record: Buffer): number => objects.push(record);
  const notesOf = slides.map(({ notes }, at) =>
    notes === undefined ? [] : [{ id: 500 + at, number: add(slideRecord(1008, [shapeOf(wide(notes))])) }],
  );
  const numbersOf = slides.map(({ outline, shapes }, at) => {
    const atom = slideRecord(1007, numbers(0, 0, 0, 0, notesOf[at]?.[0]?.id ?? 0, 0));
    const references = outline.map((_, index) => shapeOf(slideRecord(3998, numbers(index))));
    return add(slideRecord(1006, [atom, ...references, ...shapes.map((text) => shapeOf(wide(text)))]));
  });
  const hint = shapeOf(wide("Click to edit"), slideRecord(3011, numbers(0, 0)));
  const masterNumber = add(slideRecord(1016, [hint, shapeOf(wide(master))]));
  const place = (number: number, id: number): Buffer => slideRecord(1011, numbers(number, 0, 0, id, 0));
  const lists = [
    slideRecord(4080, [place(masterNumber, 900)], 1),
    slideRecord(
      4080,
      slides.flatMap(({ outline }, at) => [
        place(numbersOf[at] ?? 0, 256 + at),
        ...outline.map((text) => slideRecord(4008, Buffer.from(text, "latin1"))),
      ]),
      0,
    ),
    slideRecord(
      4080,
      notesOf.flat().map(({ id, number }) => place(number, id)),
      2,
    ),
  ];
  for (const object of embedded)
    add(slideRecord(4113, Buffer.concat([numbers(object.length), deflateSync(object)]), 1));
  const document = add(slideRecord(1000, lists));
  return assembled(objects, document);
}

function assembled(objects: readonly Buffer[], document: number): Buffer {
  const stale = slideRecord(1000, [wide("What was there before")]);
  let at = stale.length;
  const places = objects.map((object) => {
    at += object.length;
    return at - object.length;
  });
  const oldDirectory = slideRecord(6002, numbers((1 << 20) | document, 0));
  const oldEdit = slideRecord(4085, numbers(0, 0, 0, at, document));
  const directory = slideRecord(6002, numbers((objects.length << 20) | 1, ...places));
  const directoryAt = at + oldDirectory.length + oldEdit.length;
  const edit = slideRecord(4085, numbers(0, 0, at + oldDirectory.length, directoryAt, document));
  const stream = Buffer.concat([stale, ...objects, oldDirectory, oldEdit, directory, edit, Buffer.alloc(4_096)]);
  const user = slideRecord(4086, numbers(20, 0xe391c05f, directoryAt + directory.length));
  return compoundFile({ "PowerPoint Document": stream, "Current User": user });
}

/** A workbook of the binary formats: of Excel 97, or of today. */
export function binaryWorkbook(rows: readonly (readonly unknown[])[], kind: "biff8" | "xlsb"): Buffer {
  const { utils: book, write: writeBook } = (sheets as unknown as { readonly default: typeof sheets }).default;
  const workbook = book.book_new();
  const sheet = book.aoa_to_sheet(rows as unknown[][], { UTC: true });
  book.book_append_sheet(workbook, sheet, "Kosten");
  workbook.Props = { Title: "Haushalt", Author: "Ada" };
  return Buffer.from(writeBook(workbook, { type: "buffer", bookType: kind }) as Uint8Array);
}
