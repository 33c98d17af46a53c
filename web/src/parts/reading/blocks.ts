/** An item of a list. */
export interface ListItem {
  /** How deep it lies in others. */
  readonly depth: number;
  /** null: it has no number. */
  readonly number: number | null;
  readonly text: string;
}

/** A block of a text. */
export type Block =
  | { readonly kind: "paragraph" | "quotation" | "code"; readonly text: string }
  | { readonly kind: "heading"; readonly level: number; readonly text: string }
  | { readonly kind: "table"; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: "list"; readonly items: readonly ListItem[] };

const fence = /^\s*(```|~~~)/;
const item = /^( *)(?:[-*•]|(\d{1,9})[.)])[ \t]+(.*)$/s;
const quoted = /^\s*> ?(.*)$/s;
const title = /^(#{1,6})[ \t]+(.*)$/s;
const indented = /^(?: {4}|\t)/;
const border = /^:?-+:?$/;
const rule = /^(?:-{3,}|\*{3,}|_{3,})$/;
const deepest = 4;

/**
 * Cuts a text in Markdown into blocks. It knows paragraphs, lists, titles, tables, quotations and code; all else,
 * links, images and markup, stays the text that it is.
 */
export function blocksOf(text: string): readonly Block[] {
  const lines = text.split("\n");
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length;) {
    const { block, next } = blockAt(lines, at);
    if (block !== null) blocks.push(block);
    at = next;
  }
  return blocks;
}

interface Taken {
  /** null: a line that says nothing. */
  readonly block: Block | null;
  /** The line after it. */
  readonly next: number;
}

type Lines = readonly string[];

const lineOf = (lines: Lines, at: number): string => lines[at] ?? "";
const isBlank = (line: string): boolean => line.trim() === "";

function blockAt(lines: Lines, at: number): Taken {
  const line = lineOf(lines, at);
  if (isBlank(line) || rule.test(line.trim())) return { block: null, next: at + 1 };
  if (fence.test(line)) return fencedAt(lines, at);
  if (quoted.test(line)) return quotationAt(lines, at);
  if (item.test(line)) return listAt(lines, at);
  if (indented.test(line)) return indentedAt(lines, at);
  const [, marks, heading] = title.exec(line) ?? [];
  if (marks !== undefined && heading !== undefined)
    return { block: { kind: "heading", level: marks.length, text: heading }, next: at + 1 };
  return isTableAt(lines, at) ? tableAt(lines, at) : paragraphAt(lines, at);
}

/** The first line from here on that no longer fits. */
function endOf(lines: Lines, from: number, fits: (line: string, at: number) => boolean): number {
  let at = from;
  while (at < lines.length && fits(lineOf(lines, at), at)) at += 1;
  return at;
}

function fencedAt(lines: Lines, at: number): Taken {
  const mark = fence.exec(lineOf(lines, at))?.[1];
  const close = endOf(lines, at + 1, (line) => fence.exec(line)?.[1] !== mark);
  return { block: { kind: "code", text: lines.slice(at + 1, close).join("\n") }, next: close + 1 };
}

function indentedAt(lines: Lines, at: number): Taken {
  const next = endOf(lines, at, (line) => indented.test(line) || isBlank(line));
  const code = lines.slice(at, next).map((line) => line.replace(indented, ""));
  return { block: { kind: "code", text: code.join("\n").trimEnd() }, next };
}

function quotationAt(lines: Lines, at: number): Taken {
  const next = endOf(lines, at, (line) => quoted.test(line));
  const text = lines.slice(at, next).map((line) => quoted.exec(line)?.[1] ?? "");
  return { block: { kind: "quotation", text: text.join("\n") }, next };
}

const isOrdered = (line: string): boolean => item.exec(line)?.[2] !== undefined;

/** A list goes on over blank lines as long as another item of it follows, and with lines that are set in. */
function listAt(lines: Lines, at: number): Taken {
  const kind = isOrdered(lineOf(lines, at));
  const goesOn = (line: string, place: number): boolean => {
    if (isBlank(line)) return isItemOf(kind, lineOf(lines, place + 1));
    return isItemOf(kind, line) || /^\s/.test(line) || !startsBlock(lines, place);
  };
  const next = endOf(lines, at, goesOn);
  return { block: { kind: "list", items: itemsIn(lines.slice(at, next)) }, next };
}

function itemsIn(lines: Lines): readonly ListItem[] {
  const items: { depth: number; number: number | null; text: string }[] = [];
  for (const line of lines) {
    const [, indent = "", digits, text] = item.exec(line) ?? [];
    const last = items.at(-1);
    const depth = Math.min(deepest, Math.floor(indent.length / 2));
    if (text !== undefined) items.push({ depth, number: digits === undefined ? null : Number(digits), text });
    else if (last !== undefined && !isBlank(line)) last.text += `\n${line.trim()}`;
  }
  return items;
}

/** What is set in may be of the other kind. */
const isItemOf = (kind: boolean, line: string): boolean =>
  item.test(line) && (isOrdered(line) === kind || /^\s{2}/.test(line));

const startsBlock = (lines: Lines, at: number): boolean => {
  const line = lineOf(lines, at);
  return fence.test(line) || quoted.test(line) || item.test(line) || title.test(line) || isTableAt(lines, at);
};

function paragraphAt(lines: Lines, at: number): Taken {
  const next = endOf(lines, at + 1, (line, place) => !isBlank(line) && !startsBlock(lines, place));
  return { block: { kind: "paragraph", text: lines.slice(at, next).join("\n") }, next };
}

/** Cells stand apart by tabs, as files are read, or by upright lines. */
function cellsOf(line: string): readonly string[] {
  if (line.includes("\t")) return line.split("\t").map((cell) => cell.trim());
  if (!line.includes("|")) return [];
  const bare = line.trim().replace(/^\|/, "");
  const cells = (bare.endsWith("|") ? bare.slice(0, -1) : bare).replaceAll("\\|", "\0").split("|");
  return cells.map((cell) => cell.trim().replaceAll("\0", "|"));
}

/** Two lines with as many cells begin a table. */
function isTableAt(lines: Lines, at: number): boolean {
  const count = cellsOf(lineOf(lines, at)).length;
  return count > 1 && cellsOf(lineOf(lines, at + 1)).length === count;
}

function tableAt(lines: Lines, at: number): Taken {
  const next = endOf(lines, at, (line) => cellsOf(line).length > 1);
  const rows = lines.slice(at, next).map(cellsOf);
  return { block: { kind: "table", rows: rows.filter((cells) => !cells.every((cell) => border.test(cell))) }, next };
}
