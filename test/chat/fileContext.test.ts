import { expect } from "chai";
import * as fc from "fast-check";
import { fileContext, type FileTexts } from "../../src/chat/fileContext.js";
import { toEmail, toFileId } from "../../src/shared/ids.js";
import { propertyRuns } from "../support/propertyRuns.js";

const ann = toEmail("ann@example.org");
const filler = `${"Nothing of interest stands in this paragraph. ".repeat(20)}\n\n`;

/** Files of Ann's, by their ids. */
const filesOf = (texts: Readonly<Record<string, string>>): FileTexts => ({
  find: async (owner, fileId) =>
    owner === ann && fileId in texts ? { fileId, name: `${fileId}.txt`, uploadedAt: "2026-05-01T00:00:00.000Z" } : null,
  readText: async (owner, fileId) => (owner === ann ? (texts[fileId] ?? null) : null),
});

async function excerpts(texts: Readonly<Record<string, string>>, question: string, budget: number) {
  const files = Object.keys(texts).map(toFileId);
  const outcome = await fileContext(filesOf(texts), { person: ann, files, question, budget });
  if (!outcome.ok) throw new Error(outcome.error.fileId);
  return outcome.value;
}

describe("what uploaded files say about a question", () => {
  it("is the whole of a short one", async () => {
    const [excerpt] = await excerpts({ f1: "Short and whole." }, "zebra", 1_000);
    expect(excerpt).to.deep.equal({
      ...{ fileId: "f1", name: "f1.txt", characters: 16, isTruncated: false },
      evidence: [
        {
          ...{ kind: "file", id: "f1", url: null, title: "f1.txt", date: "2026-05-01T00:00:00.000Z" },
          text: "Short and whole.",
        },
      ],
    });
  });

  it("is those passages of a long one that answer, wherever they stand", async () => {
    const text = `${filler.repeat(200)}# Notice\nThe notice period is six weeks.\n# More\n${filler.repeat(200)}`;
    const [excerpt] = await excerpts({ f1: text }, "How long is the notice period?", 3_000);
    expect(excerpt).to.include({ isTruncated: true, characters: text.length });
    expect(excerpt?.evidence.map((each) => each.text)).to.deep.equal(["Notice\n\nThe notice period is six weeks."]);
  });

  it("is the beginning of a long one that holds no word of the question", async () => {
    const [excerpt] = await excerpts({ f1: `Once upon a time.\n\n${filler.repeat(50)}` }, "zebra", 3_000);
    expect(excerpt?.evidence[0]?.text).to.match(/^Once upon a time\./);
  });

  it("gives short files their length, and the others equal shares", async () => {
    const long = filler.repeat(100);
    const [short, ...others] = await excerpts({ a: "Short.", b: long, c: long }, "interest", 20_000);
    expect(short?.isTruncated).to.equal(false);
    for (const { evidence } of others) {
      const shown = evidence.reduce((sum, { text }) => sum + text.length, 0);
      expect(shown).to.be.within(7_500, 10_000);
    }
  });

  it("keeps to the budget, in the order of each text", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat({ max: 30 }), { minLength: 1, maxLength: 5 }),
        fc.nat({ max: 30_000 }),
        async (sizes, budget) => {
          const texts = Object.fromEntries(sizes.map((size, at) => [`f${at}`, `# File ${at}\n${filler.repeat(size)}`]));
          const shown = (await excerpts(texts, "interest", budget)).flatMap(({ evidence, fileId }) => {
            const places = evidence.map(({ text }) => (texts[fileId] ?? "").indexOf(text.slice(text.indexOf("\n"))));
            expect(places).to.deep.equal([...places].sort((a, b) => a - b));
            return evidence;
          });
          expect(shown.reduce((sum, { text }) => sum + text.length, 0)).to.be.at.most(budget);
        },
      ),
      propertyRuns(30),
    );
  });

  it("is nothing for anybody but the owner", async () => {
    const asked = { files: [toFileId("f1")], question: "whole", budget: 1_000 };
    for (const [person, texts] of [
      [toEmail("bob@example.org"), { f1: "Short." }],
      [ann, {}],
    ] as const)
      expect(await fileContext(filesOf(texts), { ...asked, person })).to.deep.equal({
        ok: false,
        error: { type: "FileNotFound", fileId: "f1" },
      });
  });

  it("is nothing of a file that is erased while it is read", async () => {
    const texts = filesOf({ f1: "Short." });
    let reads = 0;
    const readText: FileTexts["readText"] = (...asked) =>
      ++reads === 1 ? texts.readText(...asked) : Promise.resolve(null);
    const asked = { person: ann, files: [toFileId("f1")], question: "whole", budget: 1_000 };
    expect((await fileContext({ ...texts, readText }, asked)).ok).to.equal(false);
  });
});
