import { textFormatOf } from "../shared/textFormat.js";
import type { TextRange } from "./nearness.js";

/** A mark that begins in a passage may end after it: so far. */
const reach = 500;
const headingMark = /^ {0,3}#{1,6}[ \t]+(?=\S)/;
const fence = /^ {0,3}(?:```|~~~)[^\n`]{0,60}$/;
const link = /(?<![\w\])])(!?\[)([^[\]\n]{1,200})(\]\([^()\s]{1,500}\))/g;
const emphasis = /(?<![\w*])(\*\*)(?=\S)([^*\n]{1,300})(\*\*)(?![\w*])/g;
const code = /(`{1,2})([^`\n]{1,200})(`{1,2})/g;

/**
 * Where marks of Markdown stand in a passage, in their order: of headings, emphasis, links, code and tables. People
 * write Markdown into texts of most types. Source code and data have none: what looks like it means something there.
 */
export function markdownMarksIn(text: string, { start, end }: TextRange, mimeType: string): readonly TextRange[] {
  const essence = (mimeType.split(";", 1)[0] ?? "").trim().toLowerCase();
  if (isCode(essence)) return [];
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const from = start === 0 || start - lineStart > reach ? start : lineStart;
  const lines = text.slice(from, Math.min(text.length, end + reach)).split("\n");
  const marks: TextRange[] = [];
  let at = from;
  for (const line of lines) {
    const isWhole = at === 0 || text[at - 1] === "\n";
    for (const mark of marksOfLine(line, isWhole, isMarkdown(essence)))
      marks.push({ start: at + mark.start, end: at + mark.end });
    at += line.length + 1;
  }
  return marks;
}

/** A text without what {@link markdownMarksIn} found in it, between two places. */
export function withoutMarks(text: string, start: number, end: number, marks: readonly TextRange[]): string {
  let shown = "";
  let at = start;
  for (const mark of marks) {
    if (mark.end <= at || mark.start >= end) continue;
    shown += text.slice(at, Math.max(at, mark.start));
    at = Math.min(end, mark.end);
  }
  return shown + text.slice(at, Math.max(at, end));
}

const isMarkdown = (essence: string): boolean => textFormatOf(essence) === "markdown";

const isCode = (essence: string): boolean => {
  const format = textFormatOf(essence);
  return format === "json" || format === "xml" || (format === "plain" && essence !== "text/plain");
};

/** @param isWhole the line is there from its beginning on. */
function marksOfLine(line: string, isWhole: boolean, isOfMarkdown: boolean): readonly TextRange[] {
  if (isWhole && (fence.test(line) || isBorder(line))) return [{ start: 0, end: line.length }];
  const heading = isWhole ? headingMark.exec(line) : null;
  const marks = [...(heading === null ? [] : [{ start: 0, end: heading[0].length }]), ...inlineMarks(line)];
  const rows = isOfMarkdown || isRow(line) ? uprights(line) : [];
  return [...marks, ...rows].sort((one, other) => one.start - other.start);
}

/** What opens and closes a stretch of a line. */
const inlineMarks = (line: string): readonly TextRange[] =>
  [link, emphasis, code].flatMap((kind) =>
    Array.from(line.matchAll(kind)).flatMap(({ index, 1: opening = "", 2: inside = "", 3: closing = "" }) => {
      if (kind === emphasis && inside.endsWith(" ")) return [];
      const end = index + opening.length + inside.length;
      return [
        { start: index, end: index + opening.length },
        { start: end, end: end + closing.length },
      ];
    }),
  );

/** The line below the head of a table. */
const isBorder = (line: string): boolean => line.includes("--") && line.includes("|") && /^[-:| \t]+$/.test(line);

/** A row of a table, which upright lines enclose. */
function isRow(line: string): boolean {
  const bare = line.trim();
  return bare.length > 2 && bare.startsWith("|") && bare.endsWith("|");
}

const uprights = (line: string): readonly TextRange[] =>
  Array.from(line.matchAll(/\|/g), ({ index }) => ({ start: index, end: index + 1 })).filter(
    ({ start }) => isRow(line) || (/\s/.test(line[start - 1] ?? "") && /\s/.test(line[start + 1] ?? "")),
  );
