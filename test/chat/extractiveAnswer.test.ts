import { expect } from "chai";
import * as fc from "fast-check";
import { lexer, type Token } from "marked";
import type { Evidence } from "../../src/chat/chat.js";
import { extractiveAnswer, type ExtractiveRequest, phrases } from "../../src/chat/extractive/extractiveModel.js";
import { visibleText } from "../../src/chat/extractive/quotations.js";
import { anyText } from "../analysis/texts.js";
import { propertyRuns } from "../support/propertyRuns.js";

const evidence = (text: string, about: Partial<Evidence> = {}): Evidence => ({
  ...{ kind: "document", id: "wiki__page", url: "https://wiki.example.org/page", title: "Page", date: null, text },
  ...about,
});
const answer = async (question: string, about: Partial<ExtractiveRequest> = {}) => {
  const { pieces, cited } = await extractiveAnswer({
    ...{ question, language: "de", evidence: [], hasSources: true },
    ...about,
  });
  return { text: [...pieces].join(""), cited };
};

describe("the extractive model", () => {
  it("quotes what answers best, numbered, with its sources", async () => {
    const { text, cited } = await answer("Wie lange ist die Kündigungsfrist?", {
      evidence: [
        evidence("Die Kündigungsfrist beträgt sechs Wochen.", { title: "Vertrag", date: "2026-05-01T10:00:00Z" }),
        evidence("Die Kantine ist geschlossen.", { id: "wiki__food" }),
        evidence("Eine Kündigungsfrist gilt auch in der Probezeit.", { id: "f1", kind: "file", url: null }),
      ],
    });
    expect(text).to.equal(
      `${phrases.de.found}\n\n` +
        "[1] Vertrag · 2026-05-01 · `https://wiki.example.org/page`\n\n> Die Kündigungsfrist beträgt sechs Wochen.\n\n" +
        "[2] Page\n\n> Eine Kündigungsfrist gilt auch in der Probezeit.",
    );
    expect(cited.map(({ evidence: { id } }) => id)).to.deep.equal(["wiki__page", "f1"]);
    expect(cited[0]?.passage).to.equal("Die Kündigungsfrist beträgt sechs Wochen.");
  });

  it("gives all passages of one source one number, and stays short", async () => {
    const many = Array.from({ length: 9 }, (_each, at) => evidence(`Notice number ${at} is given.`));
    const { text, cited } = await answer("What notice is given?", { evidence: many });
    expect(text.match(/^\[1\] /gm)).to.have.lengthOf(4);
    expect(cited).to.have.lengthOf(1);
  });

  it("quotes passages of long texts, with their headings", async () => {
    const filler = `${"Nothing of interest is said here. ".repeat(20)}\n\n`;
    const long = `# Rules\n${filler.repeat(20)}\n## Notice\nSix weeks before the end of a quarter.\n## More\n${filler.repeat(20)}`;
    const { text } = await answer("How long is the notice?", { evidence: [evidence(long, { kind: "web", id: null })] });
    expect(text)
      .to.contain("[1] Page › Rules › Notice · ")
      .and.to.contain("\n\n> Six weeks before the end of a quarter.");
    expect(text.length).to.be.lessThan(400);
  });

  it("takes the best of files wherever it stands, and of each kind in turn", async () => {
    const file = { kind: "file", id: "f1", url: null, title: "notes.txt" } as const;
    const parts = Array.from({ length: 40 }, (_part, at) => evidence(`Part ${at} says nothing of a lease.`, file));
    const best = evidence("The lease ends in May, and rooms may be sublet.", file);
    const page = evidence("The lease of the office says that rooms may not be sublet.", { kind: "web", id: null });
    const { text } = await answer("May rooms be sublet by the lease?", { evidence: [...parts, best, page] });
    const quotes = text.split("\n").filter((line) => line.startsWith("> "));
    expect(quotes.slice(0, 2)).to.have.members([`> ${best.text}`, `> ${page.text}`]);
  });

  it("says that it found nothing where no content word of the question is in the evidence", async () => {
    const texts = [evidence("Die Kantine ist geschlossen."), evidence("The canteen is what it is.")];
    for (const given of [texts, []]) {
      const found = await answer("Wie hoch ist die Miete?", { evidence: given });
      expect(found).to.deep.equal({ text: phrases.de.nothingFound, cited: [] });
    }
    expect((await answer("What is the rent for it?", { evidence: texts })).text).to.equal(phrases.en.nothingFound);
  });

  it("says what it can do where it has nothing to look in, or for", async () => {
    expect((await answer("Hallo", { hasSources: false })).text).to.equal(phrases.de.nothingGiven);
    expect((await answer("Was ist das?", { evidence: [evidence("Was das ist.")] })).text).to.equal(
      phrases.de.nothingAsked,
    );
    const file = evidence("Wir haben das so gemacht.", { kind: "file", id: "f1", url: null });
    expect((await answer("Was ist das?", { evidence: [file] })).text).to.equal(
      `${phrases.de.beginning}\n\n[1] Page\n\n> Wir haben das so gemacht.`,
    );
  });

  it("answers a long question in its language, and a short one in the given", async () => {
    const sentence = async (question: string, language: "de" | "en") =>
      (await answer(question, { language, evidence: [evidence("Budget")] })).text.split("\n")[0];
    expect(await sentence("budget", "de")).to.equal(phrases.de.found);
    expect(await sentence("budget", "en")).to.equal(phrases.en.found);
    expect(await sentence("the budget?", "de")).to.equal(phrases.de.found);
    expect(await sentence("What is the budget of this year?", "de")).to.equal(phrases.en.found);
    expect(await sentence("Wie hoch ist das Budget in diesem Jahr?", "en")).to.equal(phrases.de.found);
  });

  it("shows markup as it is written, and nothing of it is markup in the answer", async () => {
    const hostile = [
      "budget ![x](https://evil.example/?q=1)",
      "budget <img src=x onerror=alert(1)>",
      "budget\n# A heading\n- a list\n1. one\n    code",
      "budget ``` \n~~~\n````\n<script>",
      "budget at www.evil.example or ann@evil.example or evil.example",
      "budget\n===\n| a | b |\n|---|---|\n[1]: https://evil.example",
      "budget //evil.example and ftp.evil\n:---\n12)",
      "budget *bold* _it_ ~~s~~ $x$ \\href{x} &amp; `code`",
    ];
    for (const text of hostile) {
      const { text: answered } = await answer("budget", { evidence: [evidence(text, { title: text, url: text })] });
      expect(answered).to.contain(text.split("\n")[0]);
      expectOnlyText(answered);
    }
  });

  it("says nothing that is not in the evidence, besides its own sentence", async () => {
    const text = fc.oneof(
      anyText,
      fc.array(anyText, { maxLength: 40 }).map((parts) => parts.join("\n")),
    );
    const somewhere = fc.record<Evidence>({
      kind: fc.constantFrom("document", "web", "file"),
      id: fc.option(fc.constantFrom("a__1", "a__2")),
      url: fc.option(anyText),
      title: anyText,
      text,
      date: fc.constant(null),
    });
    await fc.assert(
      fc.asyncProperty(anyText, fc.array(somewhere, { maxLength: 6 }), fc.nat(), async (question, given, pick) => {
        const words = given
          .map((each) => each.text)
          .join(" ")
          .split(/\s+/);
        const asked = `${question} ${words[pick % Math.max(1, words.length)] ?? ""}`;
        const { text: answered, cited } = await answer(asked, { evidence: given });
        for (const { passage, evidence: from } of cited) {
          expect(given).to.include(from);
          expect(from.text).to.contain(passage);
        }
        const own = Object.values(phrases).flatMap((each) => Object.values(each) as string[]);
        const sentence = own.find((each) => answered.startsWith(each)) ?? "";
        expect(sentence).not.to.equal("");
        let rest = answered.slice(sentence.length);
        while (rest !== "") rest = withoutQuotation(rest, given);
        expectOnlyText(answered);
      }),
      propertyRuns(150),
    );
  });
});

/** Takes the first quotation off, which has to be one of the evidence. */
function withoutQuotation(text: string, given: readonly Evidence[]): string {
  expect(text).to.match(/^\n\n\[[1-9]\] .*\n\n(?:>|`{3,}text\n)/);
  const begin = text.indexOf("\n\n", 2) + 2;
  const fence = /^`{3,}/.exec(text.slice(begin))?.[0];
  const quote = fence === undefined ? (/^(?:>.*(?:\n|$))+/.exec(text.slice(begin))?.[0] ?? "") : "";
  const end =
    fence === undefined ? begin + quote.trimEnd().length : text.indexOf(`\n${fence}`, begin) + 1 + fence.length;
  const lines = text.slice(begin, end);
  const said =
    fence === undefined ? lines.replace(/^> ?/gm, "") : lines.slice(fence.length + "text\n".length, -fence.length - 1);
  expect(given.some((each) => visibleText(each.text).includes(said.trim()))).to.equal(true);
  return text.slice(end);
}

/** Read as Markdown it holds text, quotations and code alone: no link, no image, no HTML, no emphasis. */
function expectOnlyText(markdown: string): void {
  const visit = (tokens: readonly Token[]): void => {
    for (const token of tokens) {
      expect(["paragraph", "text", "blockquote", "code", "codespan", "space", "br", "escape"]).to.include(token.type);
      if ("tokens" in token && token.tokens !== undefined) visit(token.tokens);
    }
  };
  visit(lexer(markdown));
}
