import { expect } from "chai";
import * as fc from "fast-check";
import { headOf, isCompoundFrom, partsBeforeHead, partsSoughtBy } from "../../src/analysis/compoundWords.js";
import { rankPartCorrections } from "../../src/analysis/misspelledParts.js";
import { isOfLetters, rankCorrections, typoLookup } from "../../src/analysis/vocabulary.js";
import { wordOf } from "../../src/analysis/words.js";
import { Lexicon } from "../../src/search/lexicon.js";
import {
  decodePage,
  encodePage,
  entryOf,
  mergedEntries,
  termOfForm,
  type LexiconEntry,
} from "../../src/search/lexiconPages.js";
import { propertyRuns } from "../support/propertyRuns.js";

const parts =
  "miet kaution brand schutz helfer feuer löscher prufung rechnung strom urlaub antrag haus plan amt bau".split(" ");
const word = fc
  .array(fc.constantFrom(...parts, "en", "s", "x7", "дом", "ü"), { minLength: 1, maxLength: 4 })
  .map((some) => some.join(""));
const language = fc.constantFrom("de" as const, "en" as const, null);
const entry = fc.tuple(word, language).map(([text, of]): LexiconEntry => entryOf(wordOf(text), of));
const entries = fc.array(entry, { minLength: 1, maxLength: 60 });

/** The words in several pages, as a reader comes to hold them. */
function lexiconOf(all: readonly LexiconEntry[], pages: number): Lexicon {
  const lexicon = new Lexicon();
  for (let page = 0; page < pages; page += 1)
    lexicon.put(page, mergedEntries(all.filter((_entry, index) => index % pages === page)));
  return lexicon;
}

const wordsIn = (all: readonly LexiconEntry[]): readonly string[] => [...new Set(all.map((one) => one.word))];
const texts = (found: readonly { readonly word: string }[]): readonly string[] => found.map((one) => one.word);

describe("the lexicon", () => {
  it("is read from its pages as it was written", () => {
    fc.assert(
      fc.property(entries, (all) => {
        const merged = mergedEntries(all);
        expect(decodePage(encodePage(merged))).to.deep.equal(merged);
        expect(texts(merged)).to.deep.equal(wordsIn(all));
      }),
      propertyRuns(300),
    );
  });

  it("knows the forms of each word and of each term, however many pages it has", () => {
    fc.assert(
      fc.property(entries, fc.integer({ min: 1, max: 4 }), (all, pages) => {
        const lexicon = lexiconOf(all, pages);
        const forms = [...new Set(all.flatMap((one) => one.terms.map((term) => term.charAt(0) + one.word)))];
        for (const { word: text, terms } of all) {
          expect(lexicon.formsOfWord(text)).to.have.members(forms.filter((form) => form.slice(1) === text));
          for (const term of terms)
            expect(lexicon.formsOfTerm(term)).to.have.members(forms.filter((form) => termOfForm(form) === term));
        }
        expect(lexicon.formsOfTerm("dnirgends")).to.deep.equal([]);
      }),
      propertyRuns(200),
    );
  });

  it("proposes what a look at every word finds: completions, compounds, and words that may have been meant", () => {
    const misspelled = fc.tuple(word, fc.nat(20)).map(([text, at]) => {
      const place = 1 + (at % Math.max(1, text.length - 1));
      return text.slice(0, place) + text.slice(place + 1);
    });
    fc.assert(
      fc.property(entries, fc.integer({ min: 1, max: 3 }), word, misspelled, (all, pages, asked, wrong) => {
        const lexicon = lexiconOf(all, pages);
        const words = wordsIn(all);
        const beginning = asked.slice(0, 3);
        expect(texts(lexicon.completing(beginning))).to.have.members(
          words.filter((one) => one.startsWith(beginning) && one.length > beginning.length),
        );
        const correctable = typoLookup(wrong) === null ? [] : words.filter(isOfLetters);
        const near = rankCorrections(
          wrong,
          correctable.map((one) => ({ word: one, documents: 0 })),
        );
        expect(texts(lexicon.near(wrong))).to.have.members(texts(near));
        expect(texts(rankPartCorrections(wrong, words))).to.include.members([...texts(lexicon.nearParts(wrong))]);
        const { heads, beginnings } = partsSoughtBy(asked);
        const holding = words.filter(
          (one) =>
            one !== asked &&
            (beginnings.some((part) => isCompoundFrom(part, one)) ||
              heads.some((part) => endsWith(one, part) && partsBeforeHead(one, headOf(part) ?? part, part) !== null)),
        );
        const german = holding.filter((one) => lexicon.formsOfWord(one).some((form) => !form.startsWith("e")));
        expect(texts(lexicon.compoundsWith({ word: asked, typed: asked }))).to.include.members(german);
      }),
      propertyRuns(300),
    );
  });

  it("forgets what a page held once another takes its place", () => {
    const lexicon = new Lexicon();
    lexicon.put(1, [entryOf(wordOf("harbour"), "en")]);
    lexicon.put(2, [entryOf(wordOf("harbours"), "en")]);
    lexicon.remove(1);
    expect(texts(lexicon.completing("harb"))).to.deep.equal(["harbours"]);
  });
});

function endsWith(compound: string, part: string): boolean {
  const [head, uninflected] = [headOf(part), headOf(compound)];
  return head !== null && uninflected !== null && uninflected.length > head.length && uninflected.endsWith(head);
}
