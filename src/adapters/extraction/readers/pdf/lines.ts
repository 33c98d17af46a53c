import type { Glyph } from "./glyphs.js";
import { inReadingOrder, isRightToLeft, readsFromRight } from "./rightToLeft.js";

/** A line of text as it stands on a page. */
export interface Line {
  readonly text: string;
  /** How many of its signs come from fonts that do not tell their characters. */
  readonly unmapped: number;
}

/** A glyph at its place in a line. */
interface Placed {
  text: string;
  readonly glyph: Glyph;
  readonly from: number;
  to: number;
  /** How far it is above the line's first glyph. */
  readonly above: number;
}

/** Shares of a font's size. */
const widestKerning = 0.2;
const narrowestGap = 0.115;
const lowestStep = 0.5;
/** Raised and lowered signs, and initials, stand close to what they belong to. */
const lowestStepNearby = 0.7;
const samePlace = 0.1;
const sameHeight = 0.15;
const closest = 0.05;
/** What is farther apart are cells, not words. */
const widestWordGap = 1.5;
/** What is spaced out wider is single signs. */
const widestSpacing = 0.6;
const gapBesideSpacing = 1.5;
/** Neighbours of one line may be turned a little against each other, as on a curve. */
const leastTurned = 0.7;

/**
 * The lines of what is drawn, in the order of drawing, which most programs do in reading order. Where the signs of one
 * line were drawn among each other, as in two fonts, their places count. What is drawn again at its place is there
 * once.
 */
export function linesOf(glyphs: readonly Glyph[]): readonly Line[] {
  const lines: LineInMaking[] = [];
  for (const glyph of glyphs) {
    if (lines.at(-1)?.add(glyph) !== true) lines.push(new LineInMaking(glyph));
  }
  return withoutRepeated(lines);
}

/** Without lines that are drawn again at the same place. */
function withoutRepeated(lines: readonly LineInMaking[]): readonly Line[] {
  const drawn = new Map<string, Glyph>();
  return lines.flatMap((line) => {
    const made = line.made();
    const before = drawn.get(made.text);
    if (before !== undefined && isSamePlace(before, line.first)) return [];
    drawn.set(made.text, line.first);
    return made.text === "" ? [] : [made];
  });
}

function isSamePlace(one: Glyph, other: Glyph): boolean {
  const farthest = 2 * samePlace * one.shown.size;
  return Math.abs(one.x - other.x) <= farthest && Math.abs(one.y - other.y) <= farthest;
}

/** Signs that follow each other in one direction. */
interface Piece {
  readonly placed: Placed[];
  from: number;
  to: number;
}

class LineInMaking {
  private readonly pieces: Piece[] = [];
  private last: Placed;
  /** What was drawn by text and place; null as long as nothing was drawn before what was there. */
  private drawnAt: Map<string, Placed> | null = null;
  private farthest: number;
  private turns: boolean;

  constructor(readonly first: Glyph) {
    this.last = { glyph: first, text: first.text, from: 0, to: first.width, above: 0 };
    this.farthest = first.width;
    this.turns = isRightToLeft(first.text);
    this.pieces.push({ placed: [this.last], from: 0, to: first.width });
  }

  /** Adds a sign that belongs to this line, and returns whether it does. */
  add(glyph: Glyph): boolean {
    const placed = placedAfter(this.last, glyph);
    if (placed === null) return false;
    if (this.isDrawnAlready(placed) || this.isPartOfLast(placed)) return true;
    this.pieceFor(placed).placed.push(placed);
    this.last = placed;
    this.farthest = Math.max(this.farthest, placed.to);
    this.turns ||= isRightToLeft(glyph.text);
    return true;
  }

  /** Bold letters are drawn twice by some programs, a little apart. */
  private isDrawnAlready(placed: Placed): boolean {
    const isBefore = placed.from < this.farthest - closest * sizeOf(placed);
    if (isBefore) this.drawnAt ??= byKey(this.pieces);
    if (isBefore && [0, -1, 1].some((beside) => isAgain(placed, this.drawnAt?.get(placeKey(placed, beside)))))
      return true;
    this.drawnAt?.set(placeKey(placed, 0), placed);
    return false;
  }

  /** An accent is part of the letter that it is drawn over, before it or after it. */
  private isPartOfLast(placed: Placed): boolean {
    const { last } = this;
    if (isMark(placed.text)) {
      last.text += placed.text;
      return true;
    }
    if (placed.from >= (last.from + last.to) / 2) return false;
    const combined = combinedWith(last.text, placed.text) ?? combinedWith(placed.text, last.text);
    if (combined === null) return false;
    last.text = combined;
    last.to = Math.max(last.to, placed.to);
    return true;
  }

  /** The piece that a sign continues: a new one where the pen went back. */
  private pieceFor(placed: Placed): Piece {
    const current = this.pieces.at(-1);
    if (current !== undefined && placed.from >= this.last.from) {
      current.to = Math.max(current.to, placed.to);
      return current;
    }
    const piece = { placed: [], from: placed.from, to: placed.to };
    this.pieces.push(piece);
    return piece;
  }

  made(): Line {
    const texts: string[] = [];
    let unmapped = 0;
    for (const group of this.groups()) {
      const cell: string[] = [];
      unmapped += addTexts(cell, group);
      if (texts.length > 0) texts.push(" ");
      texts.push(this.turns ? inReadingOrder(cell).join("") : cell.join(""));
    }
    return { text: texts.join(""), unmapped };
  }

  /** Writing from right to left is drawn in either direction, so that only places tell its order. */
  private groups(): readonly Group[] {
    if (this.turns) return cellsOf(byPlace(this.pieces.flatMap(({ placed }) => placed)));
    return this.pieces.length === 1 ? this.pieces : overlapping(this.pieces).flatMap(interleaved);
  }
}

/** A sign at its place in the line of the sign that was drawn last; null where it stands in another line. */
function placedAfter(last: Placed, glyph: Glyph): Placed | null {
  const [x, y] = last.glyph.shown.direction;
  const [otherX, otherY] = glyph.shown.direction;
  if (x * otherX + y * otherY < leastTurned) return null;
  const [right, up] = [glyph.x - last.glyph.x, glyph.y - last.glyph.y];
  const from = last.from + right * x + up * y;
  const step = up * x - right * y;
  if (!isOneLine(from - last.to, Math.abs(step), last.glyph.shown.size, glyph.shown.size)) return null;
  return { glyph, text: glyph.text, from, to: from + glyph.width, above: last.above + step };
}

function isOneLine(gap: number, step: number, ...sizes: readonly number[]): boolean {
  const [smaller, larger] = [Math.min(...sizes), Math.max(...sizes)];
  if (step <= lowestStep * smaller) return true;
  return gap <= larger && gap >= -widestKerning * smaller && step <= lowestStepNearby * larger;
}

function isAgain(placed: Placed, before: Placed | undefined): boolean {
  if (before === undefined) return false;
  const farthestOff = Math.min(samePlace * sizeOf(placed), widthOf(placed) / 2);
  const isSameHeight = Math.abs(before.above - placed.above) <= sameHeight * sizeOf(placed);
  return isSameHeight && Math.abs(before.from - placed.from) <= farthestOff;
}

const smallestSize = 0.001;

const sizeOf = ({ glyph }: Placed): number => Math.max(glyph.shown.size, smallestSize);

const placeKey = (placed: Placed, beside: number): string =>
  `${Math.round(placed.from / (samePlace * sizeOf(placed))) + beside} ${placed.text}`;

const byKey = (pieces: readonly Piece[]): Map<string, Placed> =>
  new Map(pieces.flatMap(({ placed }) => placed.map((one) => [placeKey(one, 0), one])));

const isSpace = (text: string): boolean => text === " " || /^\s*$/.test(text);

const isMark = (text: string): boolean => text >= "\u0300" && /^\p{M}+$/u.test(text);

/** Signs that are read one after the other. */
interface Group {
  readonly placed: readonly Placed[];
  /** By their places, not as they were drawn. */
  readonly isSorted?: boolean;
}

const byPlace = (placed: readonly Placed[]): readonly Placed[] =>
  [...placed].sort((one, other) => one.from - other.from);

/** The cells of a line with writing from right to left, from the side on which it begins. */
function cellsOf(placed: readonly Placed[]): readonly Group[] {
  const cells: { readonly placed: Placed[]; readonly isSorted: true }[] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const one of placed) {
    const isCell = !isSpace(one.text) && one.from - end > widestWordGap * sizeOf(one);
    if (isCell || cells.length === 0) cells.push({ placed: [], isSorted: true });
    cells.at(-1)?.placed.push(one);
    if (!isSpace(one.text)) end = Math.max(end, one.to);
  }
  return readsFromRight(placed.map(({ text }) => text)) ? cells.toReversed() : cells;
}

/** Pieces that share a part of the line, in the order in which the first of each was drawn. */
function overlapping(pieces: readonly Piece[]): readonly (readonly Piece[])[] {
  const inLine = pieces.map((piece, at) => ({ piece, at })).sort((one, other) => one.piece.from - other.piece.from);
  const groups: { readonly pieces: Piece[]; first: number; to: number }[] = [];
  for (const { piece, at } of inLine) {
    const group = groups.at(-1);
    const [begin] = piece.placed;
    const touches = begin === undefined ? 0 : narrowestGap * sizeOf(begin);
    if (group === undefined || piece.from > group.to + touches) {
      groups.push({ pieces: [piece], first: at, to: piece.to });
      continue;
    }
    group.pieces.push(piece);
    group.first = Math.min(group.first, at);
    group.to = Math.max(group.to, piece.to);
  }
  return groups.sort((one, other) => one.first - other.first).map((group) => group.pieces);
}

/** More of the signs of pieces that fit into each other do not lie over each other. */
const mostColliding = 0.1;

/** Pieces as one where their signs fit into each other, otherwise one after the other. */
function interleaved(pieces: readonly Piece[]): readonly Group[] {
  const [only, second] = pieces;
  if (only !== undefined && second === undefined) return [only];
  const placed = byPlace(pieces.flatMap((piece) => piece.placed));
  const printed = placed.filter(({ text }) => !isSpace(text));
  const colliding = printed.filter((one, at) => {
    const before = printed[at - 1];
    return before !== undefined && before.to - one.from > Math.min(widthOf(before), widthOf(one)) / 2;
  }).length;
  if (colliding <= mostColliding * printed.length) return [{ placed, isSorted: true }];
  return pieces;
}

const widthOf = ({ from, to }: Placed): number => to - from;

/** Adds the signs, with one space for each gap, and returns how many of them are of fonts that tell nothing. */
function addTexts(texts: string[], { placed, isSorted = false }: Group): number {
  const narrowest = Math.max(narrowestGap, gapBesideSpacing * spacingOf(placed));
  let unmapped = 0;
  let before: Placed | null = null;
  let space: Placed | null = null;
  for (const one of placed) {
    if (isSpace(one.text)) {
      space = one;
      continue;
    }
    const isSpaced = space !== null && (!isSorted || isUncovered(space, before, one));
    if (before !== null && (isSpaced || gapBetween(before, one) > narrowest)) texts.push(" ");
    texts.push(one.text);
    if (one.glyph.shown.isUnmapped) unmapped += one.text.length;
    before = one;
    space = null;
  }
  return unmapped;
}

/** A space in one font may lie where a letter is drawn in another. */
function isUncovered(space: Placed, before: Placed | null, after: Placed): boolean {
  const middle = (space.from + space.to) / 2;
  return (before === null || middle >= before.to) && middle <= after.from;
}

/** The gap between two signs, as a share of the size of their font. */
const gapBetween = (before: Placed, one: Placed): number =>
  (one.from - before.to) / Math.min(sizeOf(before), sizeOf(one));

/** Fewer letters say nothing of how they are spaced. */
const fewestPairs = 3;
const leastSpaced = 0.8;

/** How far the letters are spaced out, where nearly all of them are: such gaps part no words. */
function spacingOf(placed: readonly Placed[]): number {
  const wide: number[] = [];
  let pairs = 0;
  let before: Placed | null = null;
  for (const one of placed) {
    const letter = /^\p{L}/u.test(one.text) ? one : null;
    if (before !== null && letter !== null) {
      pairs += 1;
      const gap = gapBetween(before, letter);
      if (gap > narrowestGap) wide.push(gap);
    }
    before = letter;
  }
  if (pairs < fewestPairs || wide.length < leastSpaced * pairs) return 0;
  const median = wide.sort((one, other) => one - other)[wide.length >> 1] ?? 0;
  return median <= widestSpacing ? median : 0;
}

/** Accents with a place of their own, as old fonts have them, and the same for the letter before them. */
const combining: ReadonlyMap<string, string> = new Map([
  ["`", "\u0300"],
  ["\u02cb", "\u0300"],
  ["\u00b4", "\u0301"],
  ["\u02ca", "\u0301"],
  ["\u02c6", "\u0302"],
  ["\u02dc", "\u0303"],
  ["\u00af", "\u0304"],
  ["\u02c9", "\u0304"],
  ["\u02d8", "\u0306"],
  ["\u02d9", "\u0307"],
  ["\u00a8", "\u0308"],
  ["\u02da", "\u030a"],
  ["\u02dd", "\u030b"],
  ["\u02c7", "\u030c"],
  ["\u00b8", "\u0327"],
  ["\u02db", "\u0328"],
]);

const dotless: Readonly<Record<string, string>> = { "\u0131": "i", "\u0237": "j" };

/** A letter with the accent that is drawn over or under it; null where they are no letter and no accent. */
function combinedWith(letter: string, accent: string): string | null {
  const mark = combining.get(accent);
  if (mark === undefined || !/^\p{L}$/u.test(letter)) return null;
  return ((dotless[letter] ?? letter) + mark).normalize("NFC");
}
