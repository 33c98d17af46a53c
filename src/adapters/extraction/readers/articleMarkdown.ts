import Turndown from "turndown";
import { documentOf, type PageElement } from "./pageDocument.js";
import { withoutTrailing } from "../../../shared/cutText.js";

/**
 * Markdown that is read as it stands: headings, paragraphs, lists, tables and code. Emphasis and links are their text,
 * images are nothing.
 */
const converter = new Turndown({ headingStyle: "atx", codeBlockStyle: "fenced", bulletListMarker: "-" });
// Nobody renders the text: a backslash before every star would only be in the way.
converter.escape = (text) => text;
converter
  .addRule("words", { filter: ["a", "b", "strong", "i", "em"], replacement: (content) => content })
  .addRule("nothing", { filter: ["img", "iframe", "video", "audio", "object", "hr"], replacement: () => "" })
  .addRule("row", { filter: "tr", replacement: (content) => `${content.replace(/^ \| /, "")}\n` })
  .addRule("cell", { filter: ["td", "th"], replacement: (content) => ` | ${content.trim().replace(/\s+/g, " ")}` })
  .addRule("item", {
    filter: "li",
    replacement: (content, node) => `${markerOf(node)} ${content.trim().replaceAll("\n", "\n  ")}\n`,
  });

/** The number in a numbered list. */
function markerOf(item: PageElement): string {
  const list = item.parentElement;
  return list?.nodeName === "OL" ? `${[...list.children].indexOf(item) + 1}.` : "-";
}

/** The Markdown of a piece of HTML. */
export function articleMarkdown(content: string): string {
  return converter
    .turndown(documentOf(`<!doctype html><html><body>${content}</body></html>`).body)
    .split("\n")
    .map((line) => withoutTrailing(line, " \t"))
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
