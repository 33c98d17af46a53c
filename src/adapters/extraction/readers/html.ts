import { htmlToText } from "../markup.js";
import { instantOf, languageCode, oneLine } from "./factValues.js";
import { decoded } from "./plainText.js";
import { UnreadableFile, type FileText, type FileToRead, type Reader } from "./reader.js";

const declaredCharset = /<(?:meta[^>]+charset|\?xml[^>]*\bencoding)\s*=\s*["']?\s*([\w.:-]+)/i;
/** What stands further down is no head. */
const headCharacters = 16_384;

/** Pages: what a browser shows of them, without menus. */
export const html: Reader = {
  async read(file) {
    const page = decodedPage(file);
    return { text: pageText(page), facts: headFacts(page.slice(0, headCharacters)) };
  },
};

/** The markup of a page, in whatever encoding it says it is. */
export const decodedPage = (file: Pick<FileToRead, "bytes" | "charset">): string => decoded(file, declaredCharset);

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
  return {
    title: plainLine(/<title\b[^>]{0,200}>([^<]*)/i.exec(head)?.[1]),
    author: plainLine(meta(head, "author")),
    language: languageCode(/<html\b[^>]{0,500}?\blang\s{0,9}=\s{0,9}["']?([\w-]+)/i.exec(head)?.[1]),
    createdAt: instantOf(meta(head, "dcterms\\.created") ?? meta(head, "date")),
  };
}

function meta(head: string, name: string): string | undefined {
  const tag = new RegExp(`<meta\\s(?=[^>]{0,500}\\bname\\s{0,9}=\\s{0,9}["']?${name}\\b)[^>]{0,4000}>`, "i").exec(
    head,
  )?.[0];
  const content = /\bcontent\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(tag ?? "");
  return content?.[1] ?? content?.[2];
}

const plainLine = (markup: string | undefined): string | undefined =>
  markup === undefined ? undefined : oneLine(htmlToText(markup));
