import { expect } from "chai";
import * as fc from "fast-check";
import { analyseDocument } from "../../src/analysis/analyseDocument.js";
import { bestPassagesInTurns, passagesOf, passagesWithin, withHeadings } from "../../src/analysis/passages.js";
import { addSurfaces, type Surface } from "../../src/analysis/words.js";
import { propertyRuns } from "../support/propertyRuns.js";
import { anyText } from "./texts.js";

const wordsOf = (text: string): number => {
  const surfaces: Surface[] = [];
  addSurfaces(text, surfaces);
  return surfaces.length;
};
const sentence = (subject: string): string => `${subject} is told of in this sentence of ten words. `;
const paragraph = (subject: string, words: number): string =>
  sentence(subject)
    .repeat(Math.ceil(words / 10))
    .trimEnd();

const markup = fc.constantFrom(
  "# One\n",
  "## Two ##\n",
  "\n\n\nAlone\n\n",
  "```\n",
  "Under\n===\n",
  "<h2>H</h2>\n",
  "\n\n",
);
/** Texts long enough to be cut, with headings. */
const longText = fc
  .array(fc.tuple(anyText, fc.oneof(fc.constant(""), markup), fc.constantFrom(1, 1, 1, 12)), { maxLength: 8 })
  .map((parts) => parts.map(([text, mark, times]) => mark + text.repeat(times)).join(""));

describe("the passages of a text", () => {
  it("stand in it one after the other, short enough, and leave out nothing but headings", () => {
    fc.assert(
      fc.property(longText, (text) => {
        let end = 0;
        for (const passage of passagesOf(text)) {
          expect(passage.text).to.equal(text.slice(passage.start, passage.end));
          expect(passage.text.trim()).to.equal(passage.text).and.not.to.equal("");
          expect(passage.text.length).to.be.at.most(2_500);
          expect(wordsOf(passage.text)).to.be.at.most(301);
          expect(passage.start).to.be.at.least(end);
          const between = text.slice(end, passage.start);
          for (const line of between.split("\n").map((part) => part.trim()))
            if (wordsOf(line) > 0) expect(line.length).to.be.at.most(250);
          end = passage.end;
        }
      }),
      propertyRuns(150),
    );
  });

  it("hold every word of a text without headings", () => {
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 30 }), (parts) => {
        const text = `Text: ${parts.join("").replaceAll(/[#<=~`\n-]/g, " ")}`;
        expect(passagesOf(text).reduce((sum, passage) => sum + wordsOf(passage.text), 0)).to.be.at.least(wordsOf(text));
      }),
      propertyRuns(50),
    );
  });

  it("end at the end of a paragraph, before they grow too long", () => {
    const texts = [paragraph("A", 110), paragraph("B", 110), paragraph("C", 180), paragraph("D", 180)];
    expect(passagesOf(texts.join("\n\n")).map(({ text }) => text)).to.deep.equal([
      `${texts[0] ?? ""}\n\n${texts[1] ?? ""}`,
      texts[2],
      texts[3],
    ]);
  });

  it("are cut at a line or a sentence where a paragraph is too long", () => {
    const lines = Array.from({ length: 100 }, (_line, at) => `row ${at} of a table`);
    const tables = passagesOf(lines.join("\n"));
    expect(tables.length).to.be.greaterThan(1);
    expect(tables.flatMap(({ text }) => text.split("\n"))).to.deep.equal(lines);
    const sentences = passagesOf(paragraph("It", 700));
    expect(sentences).to.have.lengthOf(3);
    for (const { text } of sentences) expect(text).to.match(/^It is .* words\.$/);
    expect(passagesOf("x".repeat(6_000)).map(({ text }) => text.length)).to.deep.equal([2_500, 2_500, 1_000]);
    expect(passagesOf("𝐀".repeat(2_001)).every(({ text }) => !/\p{Surrogate}/u.test(text))).to.equal(true);
  });

  it("carry their headings along", () => {
    const text =
      "# Travel\nAsk first.\n## Costs\nKeep receipts.\n### Hotels\n\n### Trains\nSecond class.\n# Home\nStay.";
    expect(passagesOf(text).map((passage) => [passage.heading, passage.text])).to.deep.equal([
      ["Travel", "Ask first."],
      ["Travel › Costs", "Keep receipts."],
      ["Travel › Costs", "### Hotels"],
      ["Travel › Costs › Trains", "Second class."],
      ["Home", "Stay."],
    ]);
  });

  it("know every way to write a heading, and what looks like one", () => {
    const headings = (text: string) => passagesOf(text).map(({ heading }) => heading);
    expect(headings("Travel\n======\nA text.\n\nCosts\n---\nReceipts.")).to.deep.equal(["Travel", "Travel › Costs"]);
    expect(headings('<h1>Travel</h1>\n<p>A text.</p>\n<h2 id="x"><b>Costs</b></h2>\nReceipts.')).to.deep.equal([
      "Travel",
      "Travel › Costs",
    ]);
    expect(headings("Travel\n\nA text.\n\n\nCosts\n\nReceipts.")).to.deep.equal(["Travel", "Costs"]);
    expect(headings("Dear Ada,\n\nA text.\n\nOne line\n\nMore.")).to.deep.equal([null]);
    expect(headings("```\n# no heading\n```\n#hashtag\nA text.\n-- \nAda")).to.deep.equal([null]);
    expect(headings("# A comment\n# of two lines\nvalue = 1")).to.deep.equal(["A comment"]);
  });

  it("are none where there are no words", () => {
    expect(passagesOf("")).to.deep.equal([]);
    expect(passagesOf(" \n\n ----- \n\n")).to.deep.equal([]);
  });
});

const handbook = {
  title: "Handbook",
  text: `# Holidays\n${paragraph("Rest", 150)}\n# Travel costs\nReceipts are sent within three weeks.\n# Canteen\n${paragraph("Food", 150)}`,
};

describe("the best passages", () => {
  it("are those that hold the question's words, by text and heading", async () => {
    const [first, ...others] = await bestPassagesInTurns(
      "By when must I send receipts of travel costs?",
      [handbook],
      3,
    );
    expect(first).to.include({ source: 0, heading: "Travel costs", text: "Receipts are sent within three weeks." });
    expect(others).to.deep.equal([]);
  });

  it("are of all sources, but of none without a word of the question", async () => {
    const sources = [
      { text: "Die Kantine ist von zwölf bis zwei geöffnet.", title: "Kantine" },
      { text: "Der Urlaub wird im Januar geplant, und im Urlaub ruht die Arbeit." },
      { text: "Jeder Beschäftigte hat dreißig Tage Urlaub im Jahr." },
    ];
    const found = await bestPassagesInTurns("Wie viele Tage Urlaub habe ich?", sources, 9);
    expect(found.map(({ source }) => source)).to.deep.equal([2, 1]);
    expect(await bestPassagesInTurns("Zebra", sources, 9)).to.deep.equal([]);
    expect(await bestPassagesInTurns("?!", sources, 9)).to.deep.equal([]);
  });

  it("prefer the rarer word, and words that stand together", async () => {
    const common = Array.from({ length: 5 }, () => ({ text: "All of this concerns the office." }));
    expect(
      (await bestPassagesInTurns("office printer", [...common, { text: "A printer stands here." }], 1))[0]?.source,
    ).to.equal(5);
    const far = { text: `The printer ${paragraph("This", 100)} lost its paper.` };
    const near = { text: `${paragraph("This", 100)} The printer paper ran out and lost.` };
    expect((await bestPassagesInTurns("printer paper", [far, near], 1))[0]?.source).to.equal(1);
  });

  it("are a text's beginning where its title alone holds the words", async () => {
    const text = `${paragraph("A", 200)}\n\n${paragraph("B", 200)}`;
    const found = await bestPassagesInTurns(
      "parental leave",
      [{ title: "Parental leave", text }, { text: paragraph("C", 20) }],
      9,
    );
    expect(found.map(({ source, start }) => [source, start])).to.deep.equal([[0, 0]]);
  });

  it("are passages of their sources, in an order that does not depend on chance", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(longText, { maxLength: 4 }),
        fc.nat(),
        fc.integer({ min: 1, max: 30 }),
        async (texts, pick, most) => {
          const sources = texts.map((text) => ({ text }));
          const { words } = analyseDocument({ title: "", texts });
          const question = [0, 1, 2]
            .map((at) => words[(pick + at * 7) % Math.max(1, words.length)]?.text ?? "")
            .join(" ");
          const found = await bestPassagesInTurns(question, sources, most);
          expect(found.length).to.be.at.most(most);
          for (const [at, { source, score, ...passage }] of found.entries()) {
            expect(passagesOf(texts[source] ?? "")).to.deep.include(passage);
            expect(score)
              .to.be.greaterThan(0)
              .and.at.most(found[at - 1]?.score ?? Infinity);
          }
          expect(await bestPassagesInTurns(question, sources, most)).to.deep.equal(found);
        },
      ),
      propertyRuns(50),
    );
  });

  it("fit into so many characters with their headings, in the order of the text", async () => {
    const text = Array.from(
      { length: 30 },
      (_, n) => `# Part ${n}\n\n${paragraph(n % 3 === 0 ? "Rest" : "Food", 150)}`,
    );
    const whole = text.join("\n\n");
    const found = await passagesWithin(4_000, "What is rest?", { text: whole, title: "Handbook" });
    expect(found.length).to.be.greaterThan(1);
    expect(found.every((passage) => passage.text.startsWith("Rest"))).to.equal(true);
    expect(found.map(({ start }) => start)).to.deep.equal(found.map(({ start }) => start).sort((a, b) => a - b));
    expect(found.map(withHeadings).join("").length).to.be.at.most(4_000);
    const [first] = await passagesWithin(4_000, "zebra", { text: whole });
    expect(first?.heading).to.equal("Part 0");
  });

  it("stop when nobody waits for them any more", async () => {
    const text = `${paragraph("A", 100)}\n\n`.repeat(1_000);
    const aborted = AbortSignal.abort(new Error("left"));
    const failure = await bestPassagesInTurns("sentence", [{ text }], 3, aborted).catch((error: unknown) => error);
    expect(failure).to.be.an("error").with.property("message", "left");
  });
});
