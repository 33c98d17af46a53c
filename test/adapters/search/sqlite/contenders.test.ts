import { expect } from "chai";
import { seededRandom } from "../../../../bench/corpus.js";
import { bm25For, Scores, type ScoredWord } from "../../../../src/adapters/search/sqlite/scores.js";
import { scoreContenders, type Contest } from "../../../../src/adapters/search/sqlite/contenders.js";
import { leastMatches } from "../../../../src/adapters/search/sqlite/queryScores.js";
import { mostRounds, settledAtOnce } from "../../../../src/analysis/rankingRules.js";
import { propertyRuns } from "../../../support/propertyRuns.js";
import * as fc from "fast-check";

const documents = 4_000;

/** A word in this share of the documents, weighed as rare as it is. */
function wayIn(share: number, random: () => number) {
  const slots = Int32Array.from(Array(documents).keys()).filter(() => random() < share);
  const frequencies = Uint8ClampedArray.from(slots, () => 1 + Math.floor(random() ** 4 * 20));
  const factor = Math.log(1 + documents / (slots.length + 1)) * (random() < 0.2 ? 0.5 : 1);
  return { postings: { slots, frequencies, size: slots.length }, factor };
}

function wordFrom(random: () => number): ScoredWord {
  const ways = Array.from({ length: 1 + Math.floor(random() * 3) }, () => wayIn(random() ** 3, random));
  const areDisjoint = random() < 0.5;
  const seen = new Set<number>();
  const alternatives = areDisjoint ? ways.map((way) => without(seen, way)) : ways;
  return { alternatives, areDisjoint, isAsked: random() < 0.9 };
}

/** What a language's form of a word holds that no other one does. */
function without(seen: Set<number>, { postings, factor }: ReturnType<typeof wayIn>): ReturnType<typeof wayIn> {
  const kept = [...postings.slots.keys()].filter((place) => !seen.has(postings.slots[place] as number));
  const slots = Int32Array.from(kept, (place) => postings.slots[place] as number);
  const frequencies = Uint8ClampedArray.from(kept, (place) => postings.frequencies[place] as number);
  for (const slot of slots) seen.add(slot);
  return { postings: { slots, frequencies, size: slots.length }, factor };
}

function contestFrom(random: () => number): Contest {
  const shareOpen = random();
  const shareOfOthers = random() < 0.5 ? 0 : 0.01;
  const wanted = Uint8Array.from({ length: documents }, () => (random() < shareOpen ? 1 : 0));
  return {
    words: Array.from({ length: 1 + Math.floor(random() ** 2 * 8) }, () => wordFrom(random)),
    weighing: {
      bm25: bm25For(80),
      lengths: Uint16Array.from({ length: documents }, () => 1 + Math.floor(random() * 300)),
      wanted,
    },
    others: Int32Array.from(Array(documents).keys()).filter((slot) => wanted[slot] === 1 && random() < shareOfOthers),
    wordsOfMatch: random() < 0.5 ? 2 : 0,
    worths: [1, 1, random() < 0.5 ? 0.7 : 1],
    languages: Uint8Array.from({ length: documents }, () => Math.floor(random() * 3)),
  };
}

describe("the documents that can come first", () => {
  it("are the first of all matches, and the others, with the scores that they have among all", () => {
    let leftOut = 0;
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const contest = contestFrom(seededRandom(seed));
        const { languages, worths, wordsOfMatch } = contest;
        const [all, some] = [new Scores(), new Scores()];
        for (const scores of [all, some]) scores.begin(documents);
        all.addWords(contest.words, contest.weighing);
        const contenders = scoreContenders(some, contest);
        const counted = (slot: number) => (all.bySlot[slot] as number) * (worths[languages[slot] as number] as number);
        const scored = [...all.found()];
        const first = scored
          .filter((slot) => (all.heldBySlot[slot] as number) >= wordsOfMatch)
          .sort((a, b) => counted(b) - counted(a) || b - a)
          .slice(0, settledAtOnce * (mostRounds + 1));
        const [highest = -1] = scored.sort((a, b) => (all.bySlot[b] as number) - (all.bySlot[a] as number));
        const others = contest.others.filter((slot) => all.bySlot[slot] !== 0);
        expect([...contenders]).to.include.members([...first, ...others, ...(highest < 0 ? [] : [highest])]);
        expect([...contenders].filter((slot) => all.bySlot[slot] === 0)).to.deep.equal([]);
        expect([...contenders], "ascending").to.deep.equal([...contenders].sort((a, b) => a - b));
        for (const slot of contenders) {
          expect(some.bySlot[slot], `score of ${slot}`).to.equal(all.bySlot[slot]);
          expect(some.heldBySlot[slot], `words of ${slot}`).to.equal(all.heldBySlot[slot]);
        }
        leftOut += scored.length - contenders.length;
      }),
      propertyRuns(100),
    );
    expect(leftOut).to.be.above(0);
  });

  it("leave nothing behind for the search that follows", () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const random = seededRandom(seed);
        const [before, after] = [contestFrom(random), contestFrom(random)];
        const [used, fresh] = [new Scores(), new Scores()];
        used.begin(documents);
        scoreContenders(used, before);
        for (const scores of [used, fresh]) {
          scores.begin(documents);
          scores.addWords(after.words, after.weighing);
        }
        expect([...used.found()].sort()).to.deep.equal([...fresh.found()].sort());
        for (const slot of fresh.found()) {
          expect(used.bySlot[slot]).to.equal(fresh.bySlot[slot]);
          expect(used.heldBySlot[slot]).to.equal(fresh.heldBySlot[slot]);
        }
      }),
      propertyRuns(50),
    );
  });
});

describe("how many documents match for sure", () => {
  it("is never more than do, and is the most that can be said of two words", () => {
    const sets = fc.array(fc.uniqueArray(fc.nat(29)), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(sets, fc.constantFrom(0, 2), (words, held) => {
        const heldBy = (document: number) => words.filter((word) => word.includes(document)).length;
        const matches = [...Array(30).keys()].filter((document) => heldBy(document) >= Math.max(1, held)).length;
        const least = leastMatches(
          words.map((word) => word.length),
          30,
          held,
        );
        expect(least).to.be.at.most(matches);
      }),
      propertyRuns(500),
    );
    expect(leastMatches([20, 25], 30, 2)).to.equal(15);
    expect(leastMatches([20, 25], 30, 0)).to.equal(25);
  });
});
