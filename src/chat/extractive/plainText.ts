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
