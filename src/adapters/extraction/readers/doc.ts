import { CompoundFile, compoundFacts, decodedAs } from "../compound/compoundFile.js";
import { guessEncoding } from "../decodeText.js";
import { decodeAs } from "../encodings.js";
import { TextBuilder } from "../textBuilder.js";
import { EncryptedFile, UnreadableFile, type Reader } from "./reader.js";

/** Documents of Word before 2007, from Word 6 on: their body, then notes, comments, text boxes, headers and footers. */
export const doc: Reader = {
  async read({ bytes }, { maxCharacters }) {
    if (bytes.readUInt32LE(0) === word2) throw tooOld();
    const file = new CompoundFile(bytes);
    const document = await openDocument(file);
    const text = new TextBuilder(maxCharacters);
    for (const story of storiesInOrder(document)) {
      for (const line of shownText(story).split("\n")) {
        if (text.isFull) break;
        text.addLines(line);
      }
    }
    // The headers of a first, an odd and an even page mostly say the same.
    text.addDistinctLines(shownText(storyOf(document, "headers")));
    return { text: text.toString(), facts: compoundFacts(file) };
  },
};

/** The texts of a document, in the order in which they are stored one after the other. */
const stories = ["body", "footnotes", "headers", "macros", "comments", "endnotes", "textBoxes", "headerBoxes"] as const;
type Story = (typeof stories)[number];

const inOrder: readonly Story[] = ["body", "footnotes", "endnotes", "comments", "textBoxes", "headerBoxes"];

interface OldDocument {
  /** All texts, one after the other. */
  readonly text: string;
  readonly lengths: readonly number[];
}

const storiesInOrder = (document: OldDocument): readonly string[] =>
  inOrder.map((story) => storyOf(document, story)).filter((text) => text !== "");

function storyOf({ text, lengths }: OldDocument, story: Story): string {
  const at = stories.indexOf(story);
  const start = lengths.slice(0, at).reduce((sum, length) => sum + length, 0);
  return text.slice(start, start + (lengths[at] ?? 0));
}

/** Marks of versions in the head of a document. */
const word97 = 0xa5ec;
const word6 = 0xa5dc;
const word2 = 0x002da5db;
const isEncrypted = 0x0100;
const isInFirstTable = 0x0200;
const isInPieces = 0x0004;

const tooOld = (): UnreadableFile =>
  new UnreadableFile("The document is of a version of Word that cannot be read. Save it as .docx and send that.");

async function openDocument(file: CompoundFile): Promise<OldDocument> {
  const stream = file.requiredStream("WordDocument");
  const [version, flags] = [stream.readUInt16LE(0), stream.readUInt16LE(10)];
  if (version !== word97 && version !== word6) throw tooOld();
  if ((flags & isEncrypted) !== 0) throw new EncryptedFile("The document is encrypted.");
  return version === word97 ? openWord97(file, stream, flags) : openWord6(stream, flags);
}

/** How many lengths of texts stand in the head. */
const lengthsAt = (stream: Buffer, at: number): readonly number[] =>
  stories.map((_, index) => Math.max(0, stream.readInt32LE(at + index * 4)));

function openWord97(file: CompoundFile, stream: Buffer, flags: number): OldDocument {
  const table = file.requiredStream((flags & isInFirstTable) !== 0 ? "1Table" : "0Table");
  const [at, length] = [stream.readUInt32LE(0x1a2), stream.readUInt32LE(0x1a6)];
  const pieces = piecesOf(table.subarray(at, at + length));
  const text = pieces.map(({ place, characters }) => pieceOfWord97(stream, place, characters)).join("");
  return { text, lengths: lengthsAt(stream, 0x4c) };
}

const isCompressed = 0x40000000;

/** Half of the pieces are in one byte a character, at a place that counts twice. */
function pieceOfWord97(stream: Buffer, place: number, characters: number): string {
  const at = place & (isCompressed - 1);
  return (place & isCompressed) === 0
    ? stream.toString("utf16le", at, at + characters * 2)
    : decodedAs(1252, stream.subarray(at / 2, at / 2 + characters));
}

/** Where the head says on what machine a document was written. */
const writtenOnAt = 0x12;
const macintosh = 1;

/** Texts of Word 6 and 95 are in the code page of the document's language, or of what they look like. */
async function openWord6(stream: Buffer, flags: number): Promise<OldDocument> {
  const lengths = lengthsAt(stream, 0x34);
  const runs = runsOfWord6(stream, flags);
  const codePage = stream[writtenOnAt] === macintosh ? 10_000 : codePageOfLanguage(stream.readUInt16LE(6));
  const guess = codePage === 1252 ? await guessEncoding(withoutMarksOf(Buffer.concat(runs))) : null;
  const decoded = (run: Buffer): string => (guess === null ? null : decodeAs(run, guess)) ?? decodedAs(codePage, run);
  return { text: runs.map(decoded).join(""), lengths };
}

/** Marks of cells and fields are no letters of any script. */
const withoutMarksOf = (text: Buffer): Buffer => Buffer.from(text.map((byte) => Math.max(byte, space)));
const space = 0x20;

function runsOfWord6(stream: Buffer, flags: number): readonly Buffer[] {
  const [start, end] = [stream.readUInt32LE(0x18), stream.readUInt32LE(0x1c)];
  if ((flags & isInPieces) === 0) return [stream.subarray(start, end)];
  const [at, length] = [stream.readUInt32LE(0x160), stream.readUInt32LE(0x164)];
  return piecesOf(stream.subarray(at, at + length)).map(({ place, characters }) =>
    stream.subarray(place, place + characters),
  );
}

/** Code pages by languages, where they are not the Western European one. */
const codePages: readonly (readonly [number, readonly number[]])[] = [
  [1250, [0x05, 0x0e, 0x15, 0x18, 0x1a, 0x1b, 0x1c, 0x24]],
  [1251, [0x02, 0x19, 0x22, 0x23, 0x2f]],
  [1253, [0x08]],
  [1254, [0x1f]],
  [1255, [0x0d]],
  [1256, [0x01, 0x20, 0x29]],
  [1257, [0x25, 0x26, 0x27]],
  [874, [0x1e]],
  [932, [0x11]],
  [936, [0x04]],
  [949, [0x12]],
];
/** The language without its country. */
const languageBits = 0x3ff;

const codePageOfLanguage = (language: number): number =>
  codePages.find(([, languages]) => languages.includes(language & languageBits))?.[0] ?? 1252;

/** A run of characters that lie together. */
interface Piece {
  readonly place: number;
  readonly characters: number;
}

const formatting = 1;
const pieceTable = 2;
const pieceBytes = 8;
/** Word saved what was changed as pieces; more than so many are no document. */
const mostPieces = 200_000;

/** The pieces of a text in their order, from the table that stands behind what the formatting needs. */
function piecesOf(table: Buffer): readonly Piece[] {
  let at = 0;
  while (at < table.length && table[at] === formatting) at += 3 + table.readUInt16LE(at + 1);
  if (table[at] !== pieceTable) throw new UnreadableFile("The document is damaged: its text cannot be found.");
  const start = at + 5;
  const count = Math.floor((table.readUInt32LE(at + 1) - 4) / (4 + pieceBytes));
  if (count < 0 || count > mostPieces) throw new UnreadableFile("The document is damaged: its text cannot be found.");
  const places = start + (count + 1) * 4;
  return Array.from({ length: count }, (_, index) => ({
    place: table.readUInt32LE(places + index * pieceBytes + 2),
    characters: Math.max(0, table.readUInt32LE(start + index * 4 + 4) - table.readUInt32LE(start + index * 4)),
  }));
}

/** Where a field begins, where its instruction ends and what is shown of it begins, and where it ends. */
const marks = { begin: "\u0013", show: "\u0014", end: "\u0015" } as const;

/** Text without its marks. Instructions of fields are not shown, cells are apart by tabs, and rows are lines. */
function shownText(story: string): string {
  const shown: string[] = [];
  // Of each field that is open, whether its instruction is being read.
  const open: boolean[] = [];
  let [from, hidden] = [0, 0];
  for (let at = 0; at < story.length; at += 1) {
    const mark = story[at];
    if (mark !== marks.begin && mark !== marks.show && mark !== marks.end) continue;
    if (hidden === 0) shown.push(story.slice(from, at));
    from = at + 1;
    const wasHidden = mark === marks.begin ? false : (open.pop() ?? false);
    if (mark !== marks.end) open.push(mark === marks.begin);
    hidden += (mark === marks.begin ? 1 : 0) - (wasHidden ? 1 : 0);
  }
  if (hidden === 0) shown.push(story.slice(from));
  const lines = withoutMarks(shown.join("")).split("\n");
  return lines.map((line) => line.trimEnd()).join("\n");
}

/** Ends of paragraphs, lines, pages and columns. */
const lineEnds = ["\r", "\u000b", "\u000c", "\u000e"];

const withoutMarks = (text: string): string =>
  lineEnds
    .reduce((lines, end) => lines.replaceAll(end, "\n"), text)
    .replaceAll("\u0007\u0007", "\n")
    .replaceAll("\u0007", "\t")
    .replaceAll("\u001e", "-")
    .replace(/(?![\t\n])\p{Cc}/gu, "");
