import { expect } from "chai";
import * as fc from "fast-check";
import { PassagePages, passagesPerPage } from "../../src/analysis/passagePages.js";
import { bestPassagesIn, type PassageQuestion } from "../../src/analysis/passageScores.js";
import { propertyRuns } from "../support/propertyRuns.js";

const words = ["dastrolabe", "esextant", "xкомпас", "e1", "", "dhafen"];
const word = fc.constantFrom(...words);
const passage = fc.array(word, { maxLength: 12 });
const everywhere = fc.dictionary(word, fc.integer({ min: 1, max: 6 }), { maxKeys: 3 });
const times = fc.oneof(fc.constant(1), fc.constant(1), fc.constantFrom(passagesPerPage - 2, passagesPerPage));

interface Text {
  readonly passages: readonly (readonly string[])[];
  readonly everywhere: Readonly<Record<string, number>>;
}
/** Some go over the end of a page. */
const text: fc.Arbitrary<Text> = fc.record({
  passages: fc
    .array(fc.tuple(passage, times), { minLength: 1, maxLength: 6 })
    .map((parts) => parts.flatMap(([one, often]) => Array.from({ length: often }, () => one))),
  everywhere,
});

function pagesOf({ passages, everywhere: all }: Text): readonly Uint8Array[] {
  const pages = new PassagePages(new Map(Object.entries(all)));
  const full = passages.flatMap((terms, index) => {
    const page = pages.begin(index * 10, index * 10 + 10);
    for (const term of terms) pages.add(term);
    return page ?? [];
  });
  return [...full, pages.finish() ?? []].flat();
}

/** Sums of these are exact, so that what is equal is so in whatever order it is added up. */
const shareOf = (count: number): number => 1 - 2 ** -count;
const question = fc
  .array(
    fc.record({
      ways: fc.array(fc.record({ term: word, factor: fc.constantFrom(1, 2, 3) }), { maxLength: 3 }),
      areDisjoint: fc.boolean(),
    }),
    { maxLength: 3 },
  )
  .map((asked): PassageQuestion => ({ words: asked, phrases: [], shareOf }));

/** The same, by looking at each passage. */
function scoreOf(terms: readonly string[], all: Text["everywhere"], { words: asked }: PassageQuestion): number {
  const countOf = (term: string): number => {
    const here = Math.min(4, terms.filter((other) => other === term).length);
    return here + Math.min(4, Object.hasOwn(all, term) ? (all[term] ?? 0) : 0);
  };
  const scores = asked.map(({ ways, areDisjoint }) => {
    const worths = ways.map(({ term, factor }) => factor * shareOf(countOf(term)));
    return areDisjoint ? worths.reduce((sum, worth) => sum + worth, 0) : Math.max(0, ...worths);
  });
  return scores.reduce((sum, score) => sum + score, 0);
}

describe("the best passages of a long text, by its index", () => {
  it("are those that hold the most and rarest words, the first one of equals", () => {
    fc.assert(
      fc.property(text, question, (given, asked) => {
        const scores = given.passages.map((terms) => scoreOf(terms, given.everywhere, asked));
        const best = Math.max(...scores);
        const { score, places } = bestPassagesIn(pagesOf(given), asked);
        expect(score).to.be.closeTo(best, 1e-9);
        const at = scores.findIndex((one) => one > best - 1e-9);
        expect(places).to.deep.equal([{ start: at * 10, end: at * 10 + 10 }]);
      }),
      propertyRuns(200),
    );
  });

  it("say what each way of a word is worth in the best one, where that is asked for", () => {
    fc.assert(
      fc.property(text, question, (given, asked) => {
        const pages = pagesOf(given);
        const { score, places, ways } = bestPassagesIn(pages, { ...asked, explain: true });
        const worthOf = (index: number): number => {
          const worths = (ways?.()[index] ?? []).map((way) => way.score);
          if (asked.words[index]?.areDisjoint === false) return Math.max(0, ...worths);
          return worths.reduce((sum, worth) => sum + worth, 0);
        };
        expect(asked.words.reduce((sum, _word, index) => sum + worthOf(index), 0)).to.be.closeTo(score, 1e-9);
        for (const { times: often, score: worth } of ways?.().flat() ?? []) expect(often > 0).to.equal(worth > 0);
        expect(bestPassagesIn(pages, asked)).to.deep.equal({ score, places });
      }),
      propertyRuns(200),
    );
  });

  it("are first those that may hold a required phrase, then those where it may go on into the next one", () => {
    const passages = [["a", "b", "b", "b"], ["x"], ["c", "x"], ["b", "c", "a"], ["x"]];
    const found = bestPassagesIn(pagesOf({ passages, everywhere: {} }), {
      words: [{ ways: [{ term: "b", factor: 1 }], areDisjoint: true }],
      phrases: [[["c", "a"]]],
      shareOf,
    });
    expect(found.places.map(({ start }) => start / 10)).to.deep.equal([3, 2, 0, 1]);
  });

  it("are none where there are no passages", () => {
    expect(bestPassagesIn([], { words: [], phrases: [], shareOf })).to.deep.equal({ score: 0, places: [] });
  });
});
