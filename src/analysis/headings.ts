import { withoutTrailing } from "../shared/texts.js";

/** A heading of a text, on lines of its own. */
export interface Heading {
  /** Where its lines begin and end, without the line break. */
  readonly start: number;
  readonly end: number;
  /** 1 to 6; {@link loneLine} for a line that only its place makes a heading. */
  readonly level: number;
  /** What it says, without its marks. */
  readonly text: string;
}

const loneLine = 7;
/** Bounds the cost of texts that are nothing but headings: later ones are text. */
const mostHeadings = 20_000;
const longestHeading = 200;
/** With its marks. */
const longestLine = longestHeading + 50;
/** A line that only its place makes a heading is shorter. */
const longestLoneLine = 80;
const hash = /^ {0,3}(#{1,6})[ \t](.*)$/;
const element = /^[ \t]*<h([1-6])(?:\s[^>]*)?>(.*)<\/h\1>[ \t]*$/i;
const underline = /^ {0,3}(?:(=+)|-{3,})[ \t]*$/;
const fence = /^ {0,3}(```|~~~)/;
/** Spares most lines a closer look: a heading begins with a mark, or stands after a blank line. */
const mayBeginMark = " \t\r#=-<`~";
const endsSentence = /[.,;:!?…]$/;

interface Line {
  readonly start: number;
  readonly end: number;
  /** Trimmed. */
  readonly text: string;
  /** How many blank lines stand before it; very many before the first one. */
  readonly blanksBefore: number;
}

/**
 * The headings of a text in their order: those of Markdown, `<h1>` to `<h6>` on a line, and short lines that stand
 * alone after two blank lines or at the beginning, which is how headings of HTML pages and files arrive here. What
 * stands in fenced code is none; of lines that follow each other, such as comments, only the first one is.
 */
export function* headingsOf(text: string): Generator<Heading, void, void> {
  const lines = new Lines();
  let found = 0;
  for (let start = 0; start < text.length && found < mostHeadings;) {
    const lineBreak = text.indexOf("\n", start);
    const end = lineBreak === -1 ? text.length : lineBreak;
    const heading = lines.read(text, start, end);
    if (heading !== null) {
      found += 1;
      yield heading;
    }
    start = end + 1;
  }
}

/** What of the lines so far decides about the next. */
class Lines {
  private fencedBy: string | null = null;
  private blanks = Infinity;
  /** The line before, where it may still turn out to be a heading. */
  private open: Line | null = null;
  /** The level of the line before, where it is a heading by its marks. */
  private markedLevel = 0;

  /** The heading that this line is, or that it tells of the line before; null where there is none. */
  read(text: string, start: number, end: number): Heading | null {
    if (start === end && this.fencedBy === null) return this.readBlank();
    const isText = this.blanks === 0 && start < end && !mayBeginMark.includes(text.charAt(start));
    if (isText || end - start > longestLine) return this.passOver(null);
    return this.look(text.slice(start, end).trimEnd(), start, end);
  }

  private look(written: string, start: number, end: number): Heading | null {
    const fenceMark = fence.exec(written)?.[1];
    if (this.fencedBy !== null || fenceMark !== undefined) return this.readFenced(fenceMark);
    if (written === "") return this.readBlank();
    const line: Line = { start, end, text: written.trimStart(), blanksBefore: this.blanks };
    const marked = markedHeading(written, line, this.open);
    return marked === null ? this.passOver(line) : this.readMarked(marked, line);
  }

  private passOver(line: Line | null): null {
    this.open = (line?.blanksBefore ?? 0) > 0 ? line : null;
    this.blanks = 0;
    this.markedLevel = 0;
    return null;
  }

  private readFenced(mark: string | undefined): null {
    if (this.fencedBy === null) this.fencedBy = mark ?? null;
    else if (mark === this.fencedBy) this.fencedBy = null;
    return this.passOver(null);
  }

  private readBlank(): Heading | null {
    const { open } = this;
    this.open = null;
    this.blanks += 1;
    this.markedLevel = 0;
    if (open === null || !isLoneHeading(open)) return null;
    return { start: open.start, end: open.end, level: loneLine, text: open.text };
  }

  private readMarked(heading: Heading, line: Line): Heading | null {
    const goesOn = line.blanksBefore === 0 && heading.level === this.markedLevel;
    this.passOver(null);
    this.markedLevel = heading.level;
    return goesOn ? null : heading;
  }
}

function markedHeading(written: string, line: Line, before: Line | null): Heading | null {
  const { level, text } = levelAndText(written);
  if (level > 0 && text !== "" && text.length <= longestHeading)
    return { start: line.start, end: line.end, level, text };
  const under = before === null ? null : underline.exec(written);
  if (before === null || under === null || before.text.length > longestHeading) return null;
  return { start: before.start, end: line.end, level: under[1] === undefined ? 2 : 1, text: before.text };
}

function levelAndText(written: string): { readonly level: number; readonly text: string } {
  const [, hashes, marked = ""] = hash.exec(written) ?? [];
  if (hashes !== undefined) return { level: hashes.length, text: withoutClosingHashes(marked.trim()) };
  const [, level = "0", content = ""] = element.exec(written) ?? [];
  return { level: Number(level), text: content.replaceAll(/<[^<>]*>/g, "").trim() };
}

/** Markdown may close a heading with hashes behind a blank. */
function withoutClosingHashes(marked: string): string {
  const bare = withoutTrailing(marked, "#");
  return bare === bare.trimEnd() && bare !== "" ? marked : bare.trimEnd();
}

const isLoneHeading = (line: Line): boolean =>
  line.blanksBefore > 1 &&
  line.text.length <= longestLoneLine &&
  !endsSentence.test(line.text) &&
  /\p{L}/u.test(line.text);
