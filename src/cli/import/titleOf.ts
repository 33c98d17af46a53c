import { posix } from "node:path";
import { convert } from "html-to-text";
import { beginningOf, withoutTrailing } from "../../shared/cutText.js";

const maxTitleLength = 1_000;
const headOfText = 20_000;
const markedHeading = /^#{1,2}[ \t](.*)$/;
const underline = /^={3,}[ \t\r]*$/;
const fencedCode = /^(```|~~~)[\s\S]*?^\1/gm;
const htmlTitle = /<title\b[^<>]*>([^<]*)/i;
const image = /!\[[^[\]]*\](?:\([^()]*\)|\[[^[\]]*\])/g;
const link = /\[([^[\]]*)\](?:\([^()]*\)|\[[^[\]]*\])/g;

/** A title for a file: the HTML title, the first Markdown heading, else the file's name. */
export function titleOf(path: string, mimeType: string, text: string): string {
  const title = titleInText(mimeType, text.slice(0, headOfText)).replace(/\s+/g, " ").trim();
  return beginningOf(title === "" ? posix.basename(path) : title, maxTitleLength);
}

function titleInText(mimeType: string, text: string): string {
  if (mimeType === "text/html") return convert(htmlTitle.exec(text)?.[1] ?? "", { wordwrap: false });
  if (mimeType !== "text/markdown") return "";
  return plainHeading(firstHeading(text.replace(fencedCode, "").split("\n")));
}

/** Of the first two levels; empty where there is none. */
function firstHeading(lines: readonly string[]): string {
  for (const [index, line] of lines.entries()) {
    const marked = markedHeading.exec(line)?.[1];
    if (marked !== undefined && marked.trim() !== "") return withoutTrailing(marked, "# \t\r");
    if (/^\S/.test(line) && underline.test(lines[index + 1] ?? "")) return line;
  }
  return "";
}

/** A heading without images, link targets, emphasis and HTML tags. */
function plainHeading(heading: string): string {
  return heading
    .replace(image, "")
    .replace(link, "$1")
    .replace(/<[^<>]*>/g, "")
    .replace(/[*`]|(?<!\w)_|_(?!\w)/g, "");
}
