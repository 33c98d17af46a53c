import { expect } from "chai";
import * as fc from "fast-check";
import { endingOf } from "../../src/analysis/compoundWords.js";
import { compoundSplits, likeliestSplit } from "../../src/analysis/compounds.js";
import { isStopWord } from "../../src/analysis/stopWords.js";
import { distanceWithin } from "../../src/shared/editDistance.js";
import { rankCorrections, typoKeys, typoLookup } from "../../src/analysis/vocabulary.js";
import { propertyRuns } from "../support/propertyRuns.js";

const letters = fc.string({ unit: fc.constantFrom("a", "b", "c", "d"), maxLength: 9 });

/** The definition, without a bound or a band. */
function distance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_unused, i) =>
    Array.from({ length: b.length + 1 }, (_other, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  const at = (i: number, j: number): number => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i += 1) {
    for (let j = 1; j <= b.length; j += 1) {
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(i - 2, j - 2) + 1 : Infinity;
      (rows[i] as number[])[j] = Math.min(
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + Number(a[i - 1] !== b[j - 1]),
        swapped,
      );
    }
  }
  return at(a.length, b.length);
}

/** One edit at a place. */
function edited(word: string, kind: number, place: number): string {
  const at = place % word.length;
  if (kind === 0) return word.slice(0, at) + word.slice(at + 1);
  if (kind === 1) return `${word.slice(0, at)}x${word.slice(at)}`;
  if (kind === 2) return `${word.slice(0, at)}x${word.slice(at + 1)}`;
  return word.slice(0, at) + (word[at + 1] ?? "") + (word[at] ?? "") + word.slice(at + 2);
}

describe("the edit distance", () => {
  it("is the Damerau-Levenshtein distance as far as it was asked for", () => {
    fc.assert(
      fc.property(letters, letters, fc.integer({ min: 0, max: 3 }), (a, b, most) => {
        const exact = distance(a, b);
        expect(distanceWithin(a, b, most)).to.equal(exact > most ? null : exact);
      }),
      propertyRuns(2_000),
    );
  });
});

describe("typo tolerance", () => {
  const vocabularyWord = fc.string({
    unit: fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz"),
    minLength: 5,
    maxLength: 20,
  });

  it("finds every word of 5 letters or more by one edit, through a key or the prefix", () => {
    fc.assert(
      fc.property(vocabularyWord, fc.nat({ max: 3 }), fc.nat(), (word, kind, place) => {
        const typed = edited(word, kind, place);
        // Nobody mistypes a word as "aller".
        fc.pre(!isStopWord(typed, "de") && !isStopWord(typed, "en"));
        const lookup = typoLookup(typed);
        const keys = new Set(typoKeys(word));
        expect(
          lookup?.keys.some((key) => keys.has(key)),
          `${typed} for ${word}`,
        ).to.equal(true);
      }),
      propertyRuns(2_000),
    );
  });

  it("finds words of 8 letters or more by two edits behind the first four letters", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 10, maxLength: 20 }),
        fc.tuple(fc.nat({ max: 3 }), fc.nat(), fc.nat({ max: 3 }), fc.nat()),
        (word, [kind, place, secondKind, secondPlace]) => {
          const once = word.slice(0, 4) + edited(word.slice(4), kind, place);
          const twice = once.slice(0, 4) + edited(once.slice(4), secondKind, secondPlace);
          const lookup = typoLookup(twice);
          const keys = new Set(typoKeys(word));
          const found =
            lookup?.keys.some((key) => keys.has(key)) === true ||
            (lookup?.prefix !== null && word.startsWith(lookup?.prefix ?? "-"));
          expect(found, `${twice} for ${word}`).to.equal(true);
        },
      ),
      propertyRuns(2_000),
    );
  });

  it("finds words of 8 letters or more by two edits before their last half", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 10, maxLength: 20 }),
        fc.tuple(fc.nat({ max: 3 }), fc.nat(), fc.nat({ max: 3 }), fc.nat()),
        (word, [kind, place, secondKind, secondPlace]) => {
          const [start, end] = [word.slice(0, 4), word.slice(4)];
          const typed = edited(edited(start, kind, place), secondKind, secondPlace) + end;
          const ending = typoLookup(typed)?.ending ?? "-";
          expect(endingOf(word)?.startsWith(ending), `${typed} for ${word}`).to.equal(true);
        },
      ),
      propertyRuns(1_000),
    );
  });

  it("corrects no short words and no numbers, and bounds the keys", () => {
    expect(["abc", "12345", "v1234", "x".repeat(41), "between"].map(typoLookup)).to.deep.equal(Array(5).fill(null));
    expect(typoKeys("12345")).to.deep.equal([]);
    expect(typoKeys("abcdefghijklmnopqrst").length).to.equal(13);
    expect(typoLookup("abcdefghijklmnopqrst")?.keys.length).to.be.at.most(1 + 12 + 11 + 66 + 11 * 12);
  });

  it("finds words of 8 letters or more by two swapped letters and one edit more", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(..."abcdefghij"), minLength: 9, maxLength: 12 }),
        fc.nat(),
        fc.nat({ max: 2 }),
        fc.nat(),
        (word, swapped, kind, place) => {
          const typed = edited(edited(word, kind, place), 3, swapped);
          const keys = new Set(typoKeys(word));
          expect(
            typoLookup(typed)?.keys.some((key) => keys.has(key)),
            `${typed} for ${word}`,
          ).to.equal(true);
        },
      ),
      propertyRuns(1_000),
    );
  });

  it("ranks by distance, then by how many documents hold the word; a short word allows one edit only", () => {
    const candidates = ["verwaltung", "verwalten", "verwaltungen", "vergoldung"].map((word, documents) => ({
      word,
      documents,
    }));
    expect(rankCorrections("verwaltugn", candidates).map(({ word, distance: far }) => [word, far])).to.deep.equal([
      ["verwaltung", 1],
      ["verwaltungen", 2],
      ["verwalten", 2],
    ]);
    expect(
      rankCorrections("maus", [
        { word: "mais", documents: 1 },
        { word: "mau", documents: 9 },
        { word: "haut", documents: 9 },
      ]).map(({ word }) => word),
    ).to.deep.equal(["mau", "mais"]);
  });

  it("counts an error in the first letter as two", () => {
    const nearTo = (word: string, ...words: string[]) =>
      rankCorrections(
        word,
        words.map((each) => ({ word: each, documents: 1 })),
      ).map(({ word: to, distance: far }) => [to, far]);
    expect(nearTo("pool", "spool", "tool", "poll")).to.deep.equal([["poll", 1]]);
    expect(nearTo("erwaltung", "verwaltung")).to.deep.equal([["verwaltung", 2]]);
  });
});

describe("compounds", () => {
  const known: Readonly<Record<string, number>> = { miete: 3, miet: 2, vertrag: 9, arbeit: 7, trag: 1, mietver: 1 };
  const documentsWith = (word: string): number => known[word] ?? 0;

  it("are read as the two words that the vocabulary knows best, without the link between them", () => {
    expect(likeliestSplit(compoundSplits("mietvertrag"), documentsWith)).to.deep.equal({
      head: "miet",
      tail: "vertrag",
    });
    expect(likeliestSplit(compoundSplits("arbeitsvertrag"), documentsWith)).to.deep.equal({
      head: "arbeit",
      tail: "vertrag",
    });
    expect(likeliestSplit(compoundSplits("zeppelin"), documentsWith)).to.equal(null);
  });

  it("are not looked for in short or odd words, and at a bounded cost", () => {
    expect(["vertrag", "v1234567890", "x".repeat(41)].map(compoundSplits)).to.deep.equal([[], [], []]);
    const splits = compoundSplits("esner".repeat(8));
    expect(splits.length).to.be.at.most(190);
    expect(new Set(splits.map(({ tail }) => tail)).size).to.be.at.most(33);
  });
});
