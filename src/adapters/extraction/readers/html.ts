import { htmlToText } from "../markup.js";
import { instantOf, languageCode, oneLine } from "./factValues.js";
import { decoded } from "./plainText.js";
import { UnreadableFile, type FileText, type FileToRead, type Reader } from "./reader.js";
import { domOf } from "./pageDocument.js";

/** The charset that a page declares, or an XML declaration before it. */
const declaredCharset = /<(?:meta\b[^<>]*?\bcharset|\?xml\b[^<>]*?\bencoding)\s*=\s*(?:["']\s*)?([\w.:-]+)/i;
/** The charset is looked for in so many characters: text further down is no head. */
const headCharacters = 16_384;

/** Pages: what a browser shows of them, without menus. */
export const html: Reader = {
  async read(file) {
    const page = await decodedPage(file);
    return { text: pageText(page), facts: headFacts(page.slice(0, headCharacters)) };
  },
};

/** The markup of a page, in whatever encoding it says it is. */
export const decodedPage = (file: Pick<FileToRead, "bytes" | "charset">): Promise<string> =>
  decoded(file, declaredCharset);

/** @throws UnreadableFile where the page is too large to be taken apart. */
export function pageText(page: string): string {
  const text = converted(page);
  if (text !== null) return text;
  throw new UnreadableFile("The page has too many elements for its text to be extracted. Send its text instead.");
}

function converted(page: string): string | null {
  try {
    return htmlToText(page);
  } catch {
    throw new UnreadableFile("The page could not be read as HTML.");
  }
}

function headFacts(head: string): FileText["facts"] {
  const page = domOf(head);
  const meta = new Map<string, string>();
  for (const element of page.querySelectorAll("meta[name]")) {
    const name = element.getAttribute("name")?.toLowerCase() ?? "";
    if (!meta.has(name)) meta.set(name, element.getAttribute("content") ?? "");
  }
  return {
    title: oneLine(page.querySelector("title")?.textContent ?? ""),
    author: oneLine(meta.get("author") ?? ""),
    language: languageCode(page.querySelector("html")?.getAttribute("lang") ?? undefined),
    createdAt: instantOf(meta.get("dcterms.created") ?? meta.get("date")),
  };
}
