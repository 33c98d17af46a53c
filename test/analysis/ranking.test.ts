import { expect } from "chai";
import { analyseQuery } from "../../src/analysis/analyseQuery.js";
import { bm25f, inverseDocumentFrequency } from "../../src/analysis/bm25f.js";
import { nearnessOf } from "../../src/analysis/nearness.js";

const parameters = [
  { weight: 2, lengthNormalisation: 0.5, averageLength: 4 },
  { weight: 1, lengthNormalisation: 0.5, averageLength: 100 },
];
const score = (title: number, body: number, bodyLength = 100): number =>
  bm25f(
    [1],
    [
      { counts: [title], length: 4 },
      { counts: [body], length: bodyLength },
    ],
    parameters,
  );

describe("BM25F", () => {
  it("counts a title word twice a body word, and lets repetitions saturate", () => {
    expect(score(1, 0)).to.be.closeTo(score(0, 2), 1e-9);
    expect(score(0, 2) - score(0, 1)).to.be.greaterThan(score(0, 9) - score(0, 8));
    expect(score(0, 1_000)).to.be.lessThan(2.2);
  });

  it("prefers the shorter text, the rarer term and the further term", () => {
    expect(score(0, 1, 50)).to.be.greaterThan(score(0, 1, 200));
    expect(inverseDocumentFrequency(1_000, 1)).to.be.greaterThan(inverseDocumentFrequency(1_000, 10));
    expect(inverseDocumentFrequency(10, 10)).to.be.greaterThan(0);
    const field = (counts: readonly number[]) => [
      { counts: [], length: 4 },
      { counts, length: 100 },
    ];
    expect(bm25f([1, 1], field([1, 1]), parameters)).to.be.greaterThan(bm25f([1, 1], field([2, 0]), parameters));
    expect(bm25f([1, 1], field([0, 0]), parameters)).to.equal(0);
  });
});

describe("nearness", () => {
  const bonus = (query: string, text: string, title = "", names: readonly string[] = []): number =>
    nearnessOf(analyseQuery(query).words.map((word) => Object.assign(word, { weight: 2 })))({
      title,
      text,
      names,
      language: "en",
    });

  it("rewards words as typed above their other forms", () => {
    expect(bonus("running", "we are running")).to.be.greaterThan(bonus("running", "we run"));
    expect(bonus("running", "nothing of it")).to.equal(0);
    expect(bonus("running", "we run, and went on running")).to.equal(bonus("running", "running and running"));
    expect(bonus("running", "we run", "Running")).to.equal(bonus("running", "we are running"));
  });

  it("rewards neighbours, at the distance at which they were typed", () => {
    expect(bonus("annual report", "the annual report of it")).to.be.greaterThan(
      bonus("annual report", "report the annual of it"),
    );
    expect(bonus("university of chicago", "the university of chicago")).to.be.greaterThan(
      bonus("university of chicago", "the university chicago of"),
    );
  });

  it("rewards words of one sentence, not across title and text", () => {
    const far = "x ".repeat(40);
    expect(bonus("cat dog", "cat and a dog")).to.be.greaterThan(bonus("cat dog", `cat ${far} dog`));
    expect(bonus("cat dog", "dog", "cat")).to.equal(bonus("cat dog", `cat ${far} dog`));
  });

  it("rewards words of an author and of a file's name, each by itself", () => {
    const author = bonus("petra lindner first aid", "first aid", "", ["Petra Lindner"]);
    expect(author).to.be.greaterThan(bonus("petra lindner first aid", "first aid"));
    expect(bonus("cat dog", "", "", ["cat", "dog"])).to.be.lessThan(bonus("cat dog", "cat dog"));
  });
});
