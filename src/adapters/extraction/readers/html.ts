import { htmlToText } from "../markup.js";
import { instantOf, languageCode, oneLine, titleOf } from "./factValues.js";
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
    return { text: pageText(page), facts: factsOf(page) };
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

function factsOf(markup: string): FileText["facts"] {
  const page = domOf(markup.slice(0, headCharacters));
  const meta = new Map<string, string>();
  for (const element of page.querySelectorAll("meta[name]")) {
    const name = element.getAttribute("name")?.toLowerCase() ?? "";
    if (!meta.has(name)) meta.set(name, element.getAttribute("content") ?? "");
  }
  return {
    title: titleOf(page.querySelector("title")?.textContent, () => firstHeading(markup)),
    author: oneLine(meta.get("author") ?? ""),
    language: languageCode(page.querySelector("html")?.getAttribute("lang") ?? undefined),
    createdAt: instantOf(meta.get("dcterms.created") ?? meta.get("date")),
  };
}

const headingStart = /<h1[\s>]/i;
/** A longer heading is none. */
const longestHeading = 4_096;

function firstHeading(markup: string): string | undefined {
  const start = markup.search(headingStart);
  if (start === -1) return undefined;
  const piece = markup.slice(start, start + longestHeading);
  const end = piece.search(/<\/h1/i);
  return end === -1 ? undefined : domOf(`<body>${piece.slice(0, end)}</h1></body>`).querySelector("h1")?.textContent;
}
