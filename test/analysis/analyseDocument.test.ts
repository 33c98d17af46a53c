import { expect } from "chai";
import * as fc from "fast-check";
import { analyseDocument, detectLanguage } from "../../src/analysis/analyseDocument.js";
import { joinedTermsOf, type Word } from "../../src/analysis/words.js";
import type { Language } from "../../src/shared/texts.js";
import { propertyRuns } from "../support/propertyRuns.js";
import { anyText, languageText } from "./texts.js";

/** What FTS5's tokeniser `ascii` leaves in one chunk, and valid UTF-8. */
const indexable = /^(?:[a-z0-9]|[^ -~\p{Cc}])+$/u;
const wordsOf = (text: string): readonly string[] =>
  analyseDocument({ title: "", texts: [text] }).words.map((word) => word.text);
/** As an index has them that holds stems. */
const termsIn = (words: readonly Word[], language: Language | null): readonly string[] =>
  words.length === 0 ? [] : joinedTermsOf(words, language).split(" ");
function termsOf(text: string): readonly string[] {
  const { body, language } = analyseDocument({ title: "", texts: [text] });
  return termsIn(body, language);
}
const german = "Das ist ein Satz, der nur dazu da ist, dass die Sprache erkannt wird. ";
const english = "This is a sentence that is only here so that the language of it is known. ";
const french =
  "Les habitants du quartier ont protesté contre le projet, mais le maire a répondu que les travaux étaient nécessaires et que les coûts seraient pris en charge par la région. ";
const lastTerm = (text: string): string | undefined => termsOf(text).at(-1);
/** Of a script without spaces: no word of the text, but what excludes it. */
const isCharacter = (term: string): boolean => term.startsWith("j·");

describe("a document's analysis", () => {
  it("accepts any text and gives terms that an index can hold", () => {
    fc.assert(
      fc.property(languageText, fc.array(languageText, { maxLength: 3 }), (title, texts) => {
        const analysed = analyseDocument({ title, texts });
        const inTitle = termsIn(analysed.title, analysed.language);
        const inBody = termsIn(analysed.body, analysed.language);
        for (const terms of [inTitle, inBody])
          expect(terms.filter((term) => !indexable.test(term) || Buffer.from(term).toString() !== term)).to.deep.equal(
            [],
          );
        expect(inTitle).to.have.length(analysed.titleLength);
        expect(inBody.filter((term) => !isCharacter(term))).to.have.length(analysed.bodyLength);
        expect(new Set(analysed.words).size).to.equal(analysed.words.length);
      }),
      propertyRuns(500),
    );
  });

  it("holds each character of scripts without spaces once, and counts none of them as a word", () => {
    const { body, bodyLength, language } = analyseDocument({ title: "寺", texts: ["寺院の寺 a"] });
    expect(termsIn(body, language).filter(isCharacter)).to.deep.equal(["j·寺", "j·院", "j·の"]);
    expect(bodyLength).to.equal(5);
  });

  it("takes no encoded data for names, and cuts every word", () => {
    const encoded = "aGVsbG8V29ybGQ".repeat(1_000);
    expect(termsOf(`hello ${encoded} world`)).to.have.length(3);
    expect(termsOf("getHelloWorld")).to.have.length(4);
    const longest = Math.max(...wordsOf(`.${"a".repeat(1_000)} .${"b".repeat(63)}`).map(({ length }) => length));
    expect(longest).to.equal(64);
  });

  it("finds no name in a run that never ends", () => {
    expect(wordsOf("ab-cd.".repeat(10_000))).to.deep.equal(["ab", "cd"]);
  });

  it("says the same of a text whatever was analysed before", () => {
    fc.assert(
      fc.property(languageText, anyText, (text, between) => {
        const first = analyseDocument({ title: text, texts: [text] });
        analyseDocument({ title: between, texts: [between] });
        expect(analyseDocument({ title: text, texts: [text] })).to.deep.equal(first);
      }),
      propertyRuns(200),
    );
  });

  it("lets the ways to write an umlaut meet, whatever the language", () => {
    for (const prose of [german, english, french]) {
      expect(
        new Set(["Müller", "Mueller", "Muller", "MÜLLER", "Mu\u0308ller"].map((name) => lastTerm(prose + name))).size,
      ).to.equal(1);
      expect(new Set(["Köln", "koeln", "KOLN"].map((name) => lastTerm(prose + name))).size).to.equal(1);
      expect(new Set(["Straße", "STRASSE"].map((name) => lastTerm(prose + name))).size).to.equal(1);
    }
  });

  it("stems a document in its own language", () => {
    expect(lastTerm(`${german} Häuser`)).to.equal(lastTerm(`${german} Hauses`));
    expect(lastTerm(`${english} selections`)).to.equal(lastTerm(`${english} selected`));
    expect(lastTerm(`${german} running`)).not.to.equal(lastTerm(`${english} running`));
  });

  it("splits at everything that is no letter or digit, drops the possessive, and adds what is written as one", () => {
    expect(wordsOf("foo_bar v1.2.3 e-1234 user@example.org Newton's O’Brien")).to.deep.equal([
      "foo",
      "bar",
      "v1",
      "2",
      "3",
      "e",
      "1234",
      "user",
      "example",
      "org",
      "newton",
      "o",
      "brien",
      "foobar",
      "v1·2·3",
      "1·2·3",
      "1·2",
      "e1234",
      "userexampleorg",
      "obrien",
    ]);
  });

  it("pairs the characters of scripts without spaces, so that each of them starts a word", () => {
    expect(wordsOf("中国人 𠀀𠀁")).to.deep.equal(["中国", "国人", "人", "𠀀𠀁", "𠀁"]);
  });
});

describe("the language of a text", () => {
  const told = (texts: readonly string[]): readonly (string | null)[] => texts.map(detectLanguage);

  it("is told of prose, titles and questions", () => {
    expect(
      told([
        german,
        "Kündigungsfrist Mietvertrag",
        "Wie beantrage ich Urlaub?",
        "Anleitung Drucker installieren",
        "der Hund",
      ]),
    ).to.deep.equal(["de", "de", "de", "de", "de"]);
    expect(
      told([english, "Employee handbook", "How do I request vacation?", "Onboarding checklist", "the dog"]),
    ).to.deep.equal(["en", "en", "en", "en", "en"]);
  });

  it("is left open for other languages and for what is no prose", () => {
    expect(
      told([
        "De gemeente heeft besloten dat de nieuwe brug in het centrum van de stad volgend jaar wordt geopend. Er is veel kritiek op het plan, maar de wethouder zegt dat het niet anders kan.",
        "Le conseil municipal a décidé que le nouveau pont sera ouvert l'année prochaine. Les habitants du quartier ont protesté contre le projet, mais le maire a répondu que les travaux étaient nécessaires.",
        "12345 67890",
        "中国人民",
        "",
      ]),
    ).to.deep.equal([null, null, null, null, null]);
  });

  it("is told by the start of a text alone", () => {
    expect(detectLanguage(english.repeat(30) + german.repeat(1_000))).to.equal("en");
  });
});
