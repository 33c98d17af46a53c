import { decodeHTML } from "entities";
import { lexer, type Token, type Tokens } from "marked";
import { withoutTrailing } from "../../../shared/texts.js";
import { htmlToText } from "../markup.js";
import { titleOf } from "./factValues.js";
import { decoded } from "./plainText.js";
import type { Reader } from "./reader.js";

/**
 * Markdown as people read it: headings, lists, tables, notes and code stay; marks of emphasis and notes, and tags go.
 * Cells of tables are apart by tabs, and code is set in: both can be shown as what they are, and neither has marks.
 */
export const markdown: Reader = {
  async read(file) {
    const written = await decoded(file, null);
    const notes = new Set(Array.from(written.matchAll(noteDefinition), ([, name = ""]) => name));
    const pieces = Array.from(piecesOf(written), ({ text, isCode }) =>
      isCode ? codeOf(withoutTrailing(text, "\n")) : textOf(withoutNoteMarks(text, notes)),
    );
    const text = pieces.filter((piece) => piece !== "").join("\n\n");
    return { text, facts: { title: titleOf(...headingsIn(text)) } };
  },
};

const mostHeadings = 20;

/** The first headings, without their marks: one of a table of contents is no title. */
const headingsIn = (text: string): readonly string[] =>
  Array.from(text.slice(0, headCharacters).matchAll(/^#{1,6} (.*)$/gm), ([, heading = ""]) => heading).slice(
    0,
    mostHeadings,
  );

/** A heading further down is no title. */
const headCharacters = 20_000;

const noteDefinition = /^ {0,3}\[\^([\w-]{1,64})\]:/gm;
const noteMark = /\[\^([\w-]{1,64})\](?:: ?)?/g;

/** A note stays where it stands, without its mark; `[^a-z]` is a mark only where such a note is defined. */
const withoutNoteMarks = (text: string, notes: ReadonlySet<string>): string =>
  notes.size === 0 ? text : text.replace(noteMark, (mark, name: string) => (notes.has(name) ? "" : mark));

/** What is nested too deeply to be taken apart stays as it is. */
function textOf(written: string): string {
  try {
    return blocks(lexer(written));
  } catch (error) {
    if (error instanceof RangeError) return written;
    throw error;
  }
}

interface Piece {
  readonly text: string;
  /** What stands between fences. */
  readonly isCode: boolean;
}

/**
 * The library's time may grow with the square of a text (`_a_a_a…`): it is given pieces of so many characters, which
 * end at a blank line where they can, and where a line is longer, between words.
 */
const usualPiece = 1_024;
const longestPiece = 2_048;
const fence = /^ {0,3}(```|~~~)/;
const line = /[^\n]{0,2048}(?:\n|$)|[^\n]{0,2047} |[^\n]{2048}/y;

const isFull = (text: string, next: string): boolean =>
  text.length + next.length > longestPiece || (text.length > usualPiece && next.trim() === "");

function* linesOf(written: string): Generator<string, void, void> {
  for (let at = 0; at < written.length; at = line.lastIndex) {
    line.lastIndex = at;
    yield line.exec(written)?.[0] ?? "";
  }
}

/** Splits a text at blank lines, and around code between fences. */
function* piecesOf(written: string): Generator<Piece, void, void> {
  let text = "";
  let closing: string | null = null;
  for (const next of linesOf(written)) {
    const [, mark] = fence.exec(next) ?? [];
    const isBorder = mark !== undefined && (closing === null || closing === mark);
    if (isBorder || (closing === null && isFull(text, next))) {
      yield { text, isCode: closing !== null };
      text = "";
    }
    if (isBorder) closing = closing === null ? mark : null;
    else text += next;
  }
  yield { text, isCode: closing !== null };
}

const blocks = (tokens: readonly Token[]): string =>
  tokens
    .map(block)
    .filter((text) => text !== "")
    .join("\n\n");

function block(token: Token): string {
  switch (token.type) {
    case "heading":
      return `${"#".repeat((token as Tokens.Heading).depth)} ${inline(token)}`;
    case "list":
      return (token as Tokens.List).items.map((item, index) => itemOf(token as Tokens.List, item, index)).join("\n");
    case "blockquote":
      return blocks(token.tokens ?? []);
    case "table":
      return rowsOf(token as Tokens.Table).join("\n");
    case "code":
      return codeOf((token as Tokens.Code).text);
    case "html":
      return (htmlToText(token.raw) ?? "").trim();
    case "paragraph":
    case "text":
      return inline(token);
    default:
      return "";
  }
}

function itemOf({ ordered, start }: Tokens.List, { tokens }: Tokens.ListItem, index: number): string {
  const marker = ordered ? `${Number(start) + index}.` : "-";
  return `${marker} ${tokens
    .map(block)
    .filter((text) => text !== "")
    .join("\n")
    .replaceAll("\n", "\n  ")}`;
}

const rowsOf = ({ header, rows }: Tokens.Table): readonly string[] =>
  [header, ...rows].map((cells) => cells.map((cell) => inline({ tokens: cell.tokens })).join("\t"));

const codeOf = (text: string): string => (text === "" ? "" : text.replace(/^(?=.)/gm, "    "));

/** The text of a line: of an image what is said of it, of a link its text. */
function inline(token: Pick<Token, "raw" | "type"> | { readonly tokens: Token[] }): string {
  const { tokens } = token as { readonly tokens?: Token[] };
  if (tokens !== undefined) return tokens.map(inline).join("");
  const { type, text = "" } = token as { readonly type: string; readonly text?: string };
  if (type === "br") return "  \n";
  if (type === "html") return "";
  return type === "codespan" || type === "escape" ? text : decodeHTML(text);
}
