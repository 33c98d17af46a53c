import { expect } from "chai";
import * as fc from "fast-check";
import { analyseDocument } from "../../src/analysis/analyseDocument.js";
import { analyseQuery } from "../../src/analysis/analyseQuery.js";
import { PassagePage } from "../../src/analysis/passagePages.js";
import { bestPassagesIn } from "../../src/analysis/passageScores.js";
import { longestWhole } from "../../src/analysis/rankingRules.js";
import { propertyRuns } from "../support/propertyRuns.js";
import { languageText } from "./texts.js";

const filler = "Nothing of interest is told in this sentence of ten words. ";
const termsOf = (page: Uint8Array) => new PassagePage(page);

describe("the index of a text's passages", () => {
  it("covers a long text without gaps, in stretches of about 200 words", () => {
    fc.assert(
      fc.property(
        fc.array(languageText, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 40 }),
        (parts, often) => {
          const text = parts.map((part) => `${part}\n\n${filler.repeat(3)}`.repeat(often)).join("\n\n# Heading\n\n");
          const { passages, bodyLength } = analyseDocument({ title: "", texts: [text] });
          if (bodyLength <= longestWhole) return passages.length === 0;
          let end = 0;
          for (const page of passages.map(termsOf))
            for (let passage = 1; passage <= page.passages; passage++) {
              const range = page.rangeOf(passage);
              expect(range.start).to.equal(end);
              expect(range.end - range.start).to.be.at.most(5_600);
              end = range.end;
            }
          expect(text.slice(end).trim()).not.to.match(/[a-z]/i);
          return true;
        },
      ),
      propertyRuns(60),
    );
  });

  it("has every word of the text, the title and the headings above", () => {
    const text = `# Harbour rules\n\n${filler.repeat(60)}\n\n## Pilots\n\n${filler.repeat(60)}A lighthouse stands here.`;
    const { passages, language } = analyseDocument({ title: "Gazette", texts: [text, "crimson"] });
    expect(passages).to.have.length(1);
    const page = termsOf(passages[0] as Uint8Array);
    const holding = (word: string): readonly number[] => {
      const found: number[] = [];
      const term = analyseQuery(word).words[0]?.terms.find((one) => one.startsWith(language?.charAt(0) ?? "x")) ?? "";
      page.visit(term, (passage) => found.push(passage));
      return found;
    };
    const all = Array.from({ length: page.passages }, (_, index) => index + 1);
    expect(holding("gazette")).to.deep.equal([0]);
    expect(holding("crimson")).to.deep.equal([0]);
    expect(holding("harbour")).to.deep.equal(all);
    expect(holding("lighthouse")).to.deep.equal([page.passages]);
    expect(holding("pilots")).to.deep.equal(all.slice(all.length / 2));
    expect(holding("zebra")).to.deep.equal([]);
  });

  it("takes short sections together", () => {
    const text = Array.from({ length: 40 }, (_, n) => `## Section ${n}\n\n${filler.repeat(2)}`).join("\n\n");
    const { passages } = analyseDocument({ title: "", texts: [text] });
    expect(termsOf(passages[0] as Uint8Array).passages).to.be.within(3, 6);
  });

  it("tells where in a text of several pages something stands", () => {
    const text = `${filler.repeat(14_000)}The lighthouse was built in 1846. ${filler.repeat(50)}`;
    const { passages } = analyseDocument({ title: "", texts: [text] });
    expect(passages.length).to.be.greaterThan(1);
    const words = analyseQuery("lighthouse built").words.map(({ terms }) => ({
      ways: terms.map((term) => ({ term, factor: 1 })),
      areDisjoint: true,
    }));
    const [place] = bestPassagesIn(passages, { words, phrases: [], shareOf: (times) => times }).places;
    expect(text.slice(place?.start, place?.end)).to.include("The lighthouse was built in 1846.");
  });
});
