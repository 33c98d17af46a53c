import { Readability } from "@mozilla/readability";
import { documentOf, type PageDocument } from "./pageDocument.js";
import { isTooComplex } from "../markup.js";
import { decodedPage, pageText } from "./html.js";
import { articleMarkdown } from "./articleMarkdown.js";
import { UnreadableFile, type FileText, type FileToRead, type Reader } from "./reader.js";

/** Both bounds are far beyond pages that people read: finding the article takes a second there, and minutes beyond. */
const mostElements = 20_000;
const deepest = 150;

/**
 * Pages: what there is to read on them, as Markdown; where nothing stands out, or the page is too large to look for it,
 * the text of the page. Takes pages whose bytes do not fit the encoding that they declare, as browsers do.
 */
export const article: Reader = {
  async read(file) {
    const page = decodedLeniently(file);
    return articleOf(page) ?? { text: pageText(page), facts: {} };
  },
};

function decodedLeniently(file: Pick<FileToRead, "bytes" | "charset">): string {
  try {
    return decodedPage(file);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    return new TextDecoder().decode(file.bytes).replaceAll("\0", "");
  }
}

function articleOf(page: string): FileText | null {
  if (isTooComplex(page, mostElements)) return null;
  const document = documentOf(page);
  if (isTooDeep(document)) return null;
  const found = new Readability(document).parse();
  const text = articleMarkdown(found?.content ?? "");
  return text === "" ? null : { text, facts: found?.title ? { title: found.title } : {} };
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
