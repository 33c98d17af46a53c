import { Readability } from "@mozilla/readability";
import Turndown from "turndown";
import { titleOf } from "./factValues.js";
import { domOf, type PageDocument, type PageElement } from "./pageDocument.js";
import { isTooComplex } from "../markup.js";
import { decodedPage, pageText } from "./html.js";
import { UnreadableFile, type FileText, type FileToRead, type Reader } from "./reader.js";
import { withoutTrailing } from "../../../shared/texts.js";

/** Both bounds are far beyond pages that people read: finding the article takes a second there, and minutes beyond. */
const mostElements = 20_000;
const deepest = 150;

/**
 * Pages: what there is to read on them, as Markdown; where nothing stands out, or the page is too large to look for it,
 * the text of the page. Takes pages whose bytes do not fit the encoding that they declare, as browsers do.
 */
export const article: Reader = {
  async read(file) {
    const page = await decodedLeniently(file);
    return articleOf(page) ?? { text: pageText(page), facts: {} };
  },
};

async function decodedLeniently(file: Pick<FileToRead, "bytes" | "charset">): Promise<string> {
  try {
    return await decodedPage(file);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    return new TextDecoder().decode(file.bytes).replaceAll("\0", "");
  }
}

function articleOf(page: string): FileText | null {
  if (isTooComplex(page, mostElements)) return null;
  const document = domOf(page);
  if (isTooDeep(document)) return null;
  const found = new Readability(document).parse();
  const text = articleMarkdown(found?.content ?? "");
  return text === "" ? null : { text, facts: { title: titleOf(found?.title) } };
}

/** Walks the tree without recursion, which a page could make too deep. */
function isTooDeep({ documentElement }: PageDocument): boolean {
  let depth = 0;
  for (let at = documentElement; at !== null;) {
    if (depth > deepest) return true;
    if (at.firstElementChild !== null) {
      at = at.firstElementChild;
      depth++;
      continue;
    }
    while (at !== null && at.nextElementSibling === null) {
      at = at.parentElement;
      depth--;
    }
    at = at?.nextElementSibling ?? null;
  }
  return false;
}

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
function articleMarkdown(content: string): string {
  return converter
    .turndown(domOf(`<!doctype html><html><body>${content}</body></html>`).body)
    .split("\n")
    .map((line) => withoutTrailing(line, " \t"))
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
