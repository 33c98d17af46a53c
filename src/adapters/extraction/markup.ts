import { compile } from "html-to-text";
import { decodeEntities } from "../../shared/entities.js";

/** The tree takes half a kilobyte and some microseconds per element. */
const mostElements = 500_000;
/**
 * The parser's time also grows with the number of elements that are open at once. Elements that nobody closes count
 * until the end.
 */
const mostOpenElements = 10_000;
/** Deeper text is left out. */
const deepestText = 500;
const voidElements = new Set([
  "area",
  "base",
  "br",
  "col",
  "embed",
  "hr",
  "img",
  "input",
  "link",
  "meta",
  "param",
  "source",
  "track",
  "wbr",
]);

/** What nobody sees, and what is there to move about the site: the text of a menu would be found on every page. */
const notRead = [
  ...["script", "style", "noscript", "template", "svg", "title", "[hidden]"],
  ...["nav", "[role=navigation]", "[role=menu]", "button", "select", "dialog", "body > footer"],
];

const ownLine = { leadingLineBreaks: 1, trailingLineBreaks: 1 };

const convert = compile({
  wordwrap: false,
  limits: { maxInputLength: Number.MAX_SAFE_INTEGER, maxDepth: deepestText },
  selectors: [
    { selector: "a", options: { ignoreHref: true } },
    { selector: "img", format: "skip" },
    ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({ selector, options: { uppercase: false } })),
    // Left to itself, the library puts the cells of a row together without a space.
    ...["tr", "th", "td", "caption", "dt", "dd"].map((selector) => ({ selector, format: "block", options: ownLine })),
    ...notRead.map((selector) => ({ selector, format: "skip" })),
  ],
});

/** The readable text of an HTML page; null where its structure is too large to be worth it. */
export const htmlToText = (html: string): string | null => (isTooComplex(html) ? null : convert(html));

/** Whether a page has more elements than so many, or too many at once. Looks at tags alone, in one pass. */
export function isTooComplex(html: string, most: number = mostElements): boolean {
  let [elements, open] = [0, 0];
  for (const [, slash, name = ""] of html.matchAll(/<(\/?)([A-Za-z][A-Za-z0-9]{0,15})/g)) {
    if (slash === "/") open = Math.max(0, open - 1);
    else if (!voidElements.has(name.toLowerCase())) open++;
    if (++elements > most || open > mostOpenElements) return true;
  }
  return false;
}

/** The character data of an XML document, without comments and instructions; every tag becomes a space. */
export function xmlToText(xml: string): string {
  const chunks: string[] = [];
  let at = 0;
  while (at < xml.length) {
    const open = xml.indexOf("<", at);
    if (open === -1) return tidy([...chunks, decodeEntities(xml.slice(at))]);
    chunks.push(decodeEntities(xml.slice(at, open)));
    const isData = xml.startsWith("<![CDATA[", open);
    const closing = isData ? "]]>" : xml.startsWith("<!--", open) ? "-->" : ">";
    const close = xml.indexOf(closing, open);
    if (close === -1) return tidy(chunks);
    if (isData) chunks.push(xml.slice(open + "<![CDATA[".length, close));
    at = close + closing.length;
  }
  return tidy(chunks);
}

const tidy = (chunks: readonly string[]): string =>
  chunks
    .map((chunk) => chunk.trim())
    .filter((chunk) => chunk !== "")
    .join(" ");
