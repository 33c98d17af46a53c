import { expect } from "chai";
import * as fc from "fast-check";
import { analyseDocument, detectLanguage } from "../../src/analysis/analyseDocument.js";
import { analyseQuery } from "../../src/analysis/analyseQuery.js";
import { snippetsAbout } from "../../src/analysis/snippet.js";
import { propertyRuns } from "../support/propertyRuns.js";
import { languageText } from "./texts.js";

const passage = (text: string, query: string, length?: number): string =>
  snippetsAbout(
    analyseQuery(query).words.map(({ terms }) => ({ terms, weight: 1 })),
    [],
    length,
  )({ text, language: detectLanguage(text) });

const plain = (html: string): string =>
  html
    .replaceAll(/<\/?mark>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
const characters = new Intl.Segmenter(undefined, { granularity: "grapheme" });
/** Where the characters of a text begin, as people see them, and its end. */
const borders = (text: string): ReadonlySet<number> =>
  new Set([...Array.from(characters.segment(text), ({ index }) => index), text.length]);
/** Where marks begin and end in the text that is shown. */
const markedAt = (html: string): readonly number[] =>
  html.split(/<\/?mark>/).map((_part, index, parts) => plain(parts.slice(0, index + 1).join("")).length);
const placesOf = (text: string, part: string): readonly number[] =>
  [...Array(text.length + 1).keys()].filter((at) => text.startsWith(part, at));
const blanks = (text: string): string => text.replaceAll(/\s+/gu, " ");
const filler = "Nothing of interest stands in this sentence. ".repeat(20);

const scripts = [
  "เขาอยู่ที่บ้านน้ำ",
  "हिन्दी में क्षत्रिय",
  "বাংলা ভাষা ক্ষমা",
  "한국어 각",
  "e\u0301te\u0301 noe\u0308l",
  "👩‍👩‍👧‍👦 family 🇩🇪🇫🇷",
  "ﾊﾞﾝｺﾞｳ ガギ",
  "תִּקּוּן كِتَابٌ",
  "a\u0301\u0302\u0303b \u0301c",
  "\u2060x \ud800y",
];
const anyScript = fc.array(fc.constantFrom(...scripts, "word", " ", ". ", "\r\n", "'s", "-"), { maxLength: 30 });

describe("a snippet", () => {
  it("neither begins, ends nor marks within what people see as one character, in any script", () => {
    fc.assert(
      fc.property(anyScript, fc.nat(), fc.integer({ min: 1, max: 60 }), (parts, pick, length) => {
        const text = parts.join("");
        const { words } = analyseDocument({ title: "", texts: [text] });
        const html = passage(text, words[pick % Math.max(1, words.length)]?.text ?? "", length);
        const shown = plain(html);
        for (const at of markedAt(html)) expect([...borders(shown)], html).to.include(at);
        const inside = shown.replace(/^…/, "").replace(/…$/, "");
        const whole = blanks(text);
        const isWhole = (at: number): boolean => borders(whole).has(at) && borders(whole).has(at + inside.length);
        expect(placesOf(whole, inside).some(isWhole), html).to.equal(true);
      }),
      propertyRuns(500),
    );
  });

  it("is a passage of its text, escaped, with balanced marks", () => {
    fc.assert(
      fc.property(languageText, fc.nat(), fc.integer({ min: 20, max: 300 }), (text, pick, length) => {
        const { words } = analyseDocument({ title: "", texts: [text] });
        const html = passage(text, words[pick % Math.max(1, words.length)]?.text ?? "", length);
        expect(html.replaceAll(/<mark>[^<>]+<\/mark>/g, "")).not.to.match(/[<>"]|&(?!(?:lt|gt|quot|amp|#39);)/);
        expect(blanks(text)).to.include(plain(html).replace(/^…/, "").replace(/…$/, "").trim());
        expect(html.length).to.be.at.most(8 * length + 2_000);
      }),
      propertyRuns(500),
    );
  });

  it("marks what was found, as it is written", () => {
    expect(
      passage("Wir haben die Häuser in der Mühlgasse und die Strasse gesehen.", "haus straße muehlgasse"),
    ).to.equal("Wir haben die <mark>Häuser</mark> in der <mark>Mühlgasse</mark> und die <mark>Strasse</mark> gesehen.");
    expect(passage("中国人民大学", "人民")).to.equal("中国<mark>人民</mark>大学");
    expect(passage("Im Home-Office-Tag gilt: Wi-Fi an.", "homeoffice wifi gilt")).to.equal(
      "Im <mark>Home-Office-Tag</mark> <mark>gilt</mark>: <mark>Wi-Fi</mark> an.",
    );
    expect(passage("An DE44 9998 7712 0004 4710 83, bitte.", "DE44999877120004471083 bitte")).to.equal(
      "An <mark>DE44 9998 7712 0004 4710 83</mark>, <mark>bitte</mark>.",
    );
  });

  it("shows where most of the words stand together, from the start of the sentence", () => {
    const text = `${filler}One cat sat here. ${filler}The red cat and the dog met. ${filler}`;
    expect(passage(text, "red cat dog", 120)).to.match(
      /^…The <mark>red<\/mark> <mark>cat<\/mark> and the <mark>dog<\/mark> met\. /,
    );
  });

  it("prefers the rarer word", () => {
    const text = `A common thing. ${filler} A rare thing. ${filler}`;
    const words = [
      { terms: analyseQuery("common").words[0]?.terms ?? [], weight: 1 },
      { terms: analyseQuery("rare").words[0]?.terms ?? [], weight: 5 },
    ];
    expect(snippetsAbout(words)({ text, language: "en" })).to.include("<mark>rare</mark>");
  });

  it("is the start of the text where nothing matches", () => {
    expect(passage(filler, "zebra", 60)).to.equal("Nothing of interest stands in this sentence. Nothing of interest…");
    expect(passage("", "zebra")).to.equal("");
  });

  it("does not look through very long texts", () => {
    const text = `${"word ".repeat(100_000)} zebra`;
    expect(passage(text, "zebra")).not.to.include("zebra");
  });
});
