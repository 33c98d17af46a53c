import { cutText } from "../../shared/texts.js";
import type { Evidence } from "../chat.js";

/** What a quotation is of. The first is `[1]`. */
export interface CitedEvidence {
  readonly evidence: Evidence;
  /** The first of its passages that is quoted, as it stands in it. */
  readonly passage: string;
}

export interface ExtractiveAnswer {
  /** The answer bit by bit. */
  readonly pieces: Iterable<string>;
  /** In the order of their numbers; each document, page and file once. */
  readonly cited: readonly CitedEvidence[];
}

/** What stands in an answer word for word. */
export interface Quotation {
  readonly evidence: Evidence;
  /** The headings that it stands under; null: there is none. */
  readonly heading: string | null;
  readonly text: string;
  /** Whether it follows another one of the same source, so that there is no need to say which that is. */
  readonly isContinued?: boolean;
}

/** How long the pieces are that an answer comes in. */
const pieceLength = 120;

/** An answer without a quotation. */
export const saying = (sentence: string): ExtractiveAnswer => ({ pieces: inPieces([sentence]), cited: [] });

/** A sentence of the service's own, and quotations below it, each with the number of its source. */
export function quoting(sentence: string, quotations: readonly Quotation[]): ExtractiveAnswer {
  const keys = quotations.map(({ evidence }) => keyOf(evidence));
  const numbers = [...new Set(keys)];
  const cited = quotations.filter((_quotation, at) => keys.indexOf(keys[at] ?? "") === at);
  const blocks = quotations.map(
    (quotation, at) => `${headOf(quotation, numbers.indexOf(keys[at] ?? "") + 1)}\n\n${quoted(quotation.text)}`,
  );
  return {
    pieces: inPieces([sentence, ...blocks]),
    cited: cited.map(({ evidence, text }) => ({ evidence, passage: text })),
  };
}

/** Passages of one document, page or file have one number. */
export const keyOf = ({ kind, id, url, title }: Evidence): string => `${kind} ${id ?? url ?? title}`;

/** `[1] Title › Heading · 2024-05-01 · address`, or `[1] Heading` of what goes on. */
function headOf({ evidence: { title, url, date }, heading, isContinued }: Quotation, number: number): string {
  if (isContinued === true) return `[${number}] ${inLine(heading ?? title)}`;
  const name = inLine(heading === null ? title : `${title} › ${heading}`);
  const parts = [name, date?.slice(0, "2024-05-01".length) ?? "", url === null ? "" : inLine(url)];
  return `[${number}] ${parts.filter((part) => part !== "").join(" · ")}`;
}

/** Blocks of an answer, a blank line between them. */
function* inPieces(blocks: readonly string[]): Generator<string, void, void> {
  for (const [at, block] of blocks.entries())
    for (const piece of cutText(at === 0 ? block : `\n\n${block}`, () => pieceLength)) yield piece;
}

/*
 * Chat programs render answers as Markdown, with HTML and links in it. What is quoted must stay text for all of them,
 * and stay as it was written: backslashes would neither do for all nor be the text. Code does; it is used where the
 * text holds anything that could be markup.
 */

/** Control characters, and those that turn the direction of writing: nobody sees them, and they change what is seen. */
// oxlint-disable-next-line no-control-regex
const invisible = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/**
 * What Markdown, its extensions for tables, formulas and links, or HTML could take for markup: marks, addresses that
 * become links by themselves, and the beginnings of lists, headings, rules, tables and indented code.
 */
const mayBeMarkup = /[*_~`<>[\]\\|&$^@]|\/\/|\bwww\.|\p{L}\.\p{L}{2,}|^[ \t]|^[-+#=:]|^\d+[.)](?:\s|$)/mu;

/** A text as it is quoted: without what nobody sees, its lines ended alike. */
export const visibleText = (text: string): string =>
  text
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replace(invisible, "")
    .trim();

/** A quotation on lines of its own. */
export function quoted(text: string): string {
  const visible = visibleText(text);
  if (!mayBeMarkup.test(visible)) return visible.replace(/^/gm, "> ").replace(/^> $/gm, ">");
  const fence = "`".repeat(Math.max(3, longestRun(visible) + 1));
  return `${fence}text\n${visible}\n${fence}`;
}

/** A text within a line, such as a title. */
export function inLine(text: string): string {
  const line = visibleText(text).replace(/\s+/g, " ");
  if (!mayBeMarkup.test(line)) return line;
  const ticks = "`".repeat(longestRun(line) + 1);
  // A blank keeps a backtick of the text apart.
  return /^`|`$/.test(line) ? `${ticks} ${line} ${ticks}` : `${ticks}${line}${ticks}`;
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}
