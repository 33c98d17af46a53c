import { posix } from "node:path";
import { convert } from "html-to-text";
import { beginningOf } from "../../shared/cutText.js";

const maxTitleLength = 1_000;
const headOfText = 20_000;
const markdownHeading = /^(?:#{1,2}[ \t]+(.+?)[ \t]*#*|(\S.*)\r?\n={3,}[ \t]*)$/m;
const fencedCode = /^(```|~~~)[\s\S]*?^\1/gm;
const htmlTitle = /<title[^>]*>([\s\S]*?)<\/title>/i;

/** A title for a file: the HTML title, the first Markdown heading, else the file's name. */
export function titleOf(path: string, mimeType: string, text: string): string {
  const title = titleInText(mimeType, text.slice(0, headOfText)).replace(/\s+/g, " ").trim();
  return beginningOf(title === "" ? posix.basename(path) : title, maxTitleLength);
}

function titleInText(mimeType: string, text: string): string {
  if (mimeType === "text/html") return convert(htmlTitle.exec(text)?.[1] ?? "", { wordwrap: false });
  if (mimeType !== "text/markdown") return "";
  const heading = markdownHeading.exec(text.replace(fencedCode, ""));
  return plainHeading(heading?.[1] ?? heading?.[2] ?? "");
}

/** A heading without images, link targets, emphasis and HTML tags. */
function plainHeading(heading: string): string {
  return heading
    .replace(/\[?!\[[^\]]*\](\([^)]*\)|\[[^\]]*\])(\](\([^)]*\)|\[[^\]]*\]))?/g, "")
    .replace(/\[([^\]]*)\](\([^)]*\)|\[[^\]]*\])/g, "$1")
    .replace(/<[^>]*>/g, "")
    .replace(/[*`]|(?<!\w)_|_(?!\w)/g, "");
}
