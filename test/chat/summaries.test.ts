import { expect } from "chai";
import type { Evidence } from "../../src/chat/chat.js";
import { extractiveAnswer, phrases } from "../../src/chat/extractive/extractiveModel.js";
import { sectionsOf } from "../../src/chat/extractive/summary.js";
import { subjectOfSummary } from "../../src/chat/extractive/summaryRequest.js";
import { passage, startChat, tools, type ChatUnderTest } from "./chatUnderTest.js";

const rules = `# Reiserichtlinie

Diese Richtlinie gilt für alle Reisen der Mitarbeitenden, ob im Inland oder im Ausland. Sie gilt nicht für den Weg zur Arbeit.

## Buchung

Bahnfahrten bucht die Reisestelle. Flüge sind nur ab 600 Kilometern erlaubt, und die Leitung muss sie vorher genehmigen.
Mehr steht im Anhang.

## Abrechnung

### Belege

- Belege sind binnen eines Monats einzureichen.
- Kopien reichen nicht.

### Auszahlung

Das Geld kommt mit dem nächsten Gehalt auf das Konto, das der Personalabteilung gemeldet worden ist.
`;

const file = (text: string, about: Partial<Evidence> = {}): Evidence => ({
  ...{ kind: "file", id: "file_1", url: null, title: "reisen.md", date: null, text },
  ...about,
});
const answer = async (question: string, ...evidence: readonly Evidence[]) => {
  const { pieces, cited } = await extractiveAnswer({ question, language: "de", evidence, hasSources: true });
  return { text: [...pieces].join(""), cited };
};

describe("summaries by the extractive model", () => {
  it("are the first sentences of each section, below its headings, with the source", async () => {
    const { text, cited } = await answer("Fasse das Dokument zusammen", file(rules));
    expect(text).to.equal(
      [
        phrases.de.summary,
        "[1] `reisen.md › Reiserichtlinie`",
        "> Diese Richtlinie gilt für alle Reisen der Mitarbeitenden, ob im Inland oder im Ausland.",
        "[1] Reiserichtlinie › Buchung",
        "> Bahnfahrten bucht die Reisestelle. Flüge sind nur ab 600 Kilometern erlaubt, und die Leitung muss sie vorher genehmigen.",
        "[1] Reiserichtlinie › Abrechnung › Belege",
        "```text\n- Belege sind binnen eines Monats einzureichen.\n- Kopien reichen nicht.\n```",
        "[1] Reiserichtlinie › Abrechnung › Auszahlung",
        "> Das Geld kommt mit dem nächsten Gehalt auf das Konto, das der Personalabteilung gemeldet worden ist.",
      ].join("\n\n"),
    );
    expect(cited.map(({ evidence: { id } }) => id)).to.deep.equal(["file_1"]);
  });

  it("are in the language of the document, whatever the question's", async () => {
    const english =
      "# Leave\n\nEveryone has thirty days of leave, which are to be taken in the year itself.\n\n# Illness\n\nA note by a doctor is needed from the third day on.";
    const { text } = await answer("Summarize the document", file(english, { title: "Leave" }));
    expect(text)
      .to.contain(phrases.en.summary)
      .and.contain("\n\n[1] Leave\n\n> Everyone")
      .and.contain("[1] Illness\n\n>");
    expect((await answer("Summarize the document", file(rules))).text).to.contain(phrases.de.summary);
    expect((await answer("Fasse die Datei bitte kurz zusammen", file(english))).text).to.contain(phrases.en.summary);
  });

  it("take short lines for headings, and passages for sections where there is none", () => {
    const short =
      "Purpose\n\nThis is what it is for, as everybody knows.\n\nCosts\nThe costs are borne by the department that sends.\n\nAnnex";
    expect(sectionsOf(short).map(({ headings, lead }) => [headings.join(), lead])).to.deep.equal([
      ["Purpose", "This is what it is for, as everybody knows."],
      ["Costs", "The costs are borne by the department that sends."],
    ]);
    const prose = Array.from({ length: 400 }, (_, at) => `Sentence ${at} of this text says hardly anything at all.`);
    const parts = sectionsOf(prose.join(" "));
    expect(parts.length).to.be.greaterThan(5);
    expect(parts[0]?.lead).to.equal(`${prose[0]} ${prose[1]}`);
    expect(sectionsOf(" \n\n---\n\n")).to.deep.equal([]);
    const introduced = "It begins with what it is about, in a sentence.\n\n# Costs\n\nThe sender bears all of them.";
    expect(sectionsOf(introduced).map(({ headings, lead }) => [headings.join(), lead])).to.deep.equal([
      ["", "It begins with what it is about, in a sentence."],
      ["Costs", "The sender bears all of them."],
    ]);
  });

  it("are bounded, by the outer headings and in what each says", async () => {
    const chapter = (at: number): string =>
      `# Chapter ${at}\n\n${"word ".repeat(400)}\n\n${"## Detail\n\nThis is a detail.\n\n".repeat(40)}`;
    const long = Array.from({ length: 8 }, (_, at) => chapter(at)).join("\n");
    const { text } = await answer("tl;dr", file(long));
    expect(text.match(/^\[1\] /gm)).to.have.lengthOf(8);
    expect(text.length).to.be.lessThan(8 * 500);
    const many = Array.from({ length: 3_000 }, (_, at) => `# Chapter ${at}\n\nIt says ${at}.`).join("\n\n");
    const all = (await answer("Summarize it", file(many))).text;
    expect(all.match(/^\[1\] /gm)).to.have.lengthOf(12);
    expect(all)
      .to.match(/^\[1\] .*Chapter 0\b/m)
      .and.match(/^\[1\] Chapter 2750$/m);
    // Three of each of four, and below a heading without a text the first that says something.
    const files = Array.from({ length: 9 }, (_, at) => file(rules, { id: `file_${at}` }));
    expect((await answer("Fasse die Dateien zusammen", ...files)).text.match(/^\[\d\] /gm)).to.have.lengthOf(12);
  });

  it("are asked for in many words, of what a question names", () => {
    const asked: readonly (readonly [question: string, subject: string | null])[] = [
      ["Fasse das Dokument zusammen", ""],
      ["Fass mir die angehängte PDF-Datei bitte in 5 Stichpunkten zusammen!", ""],
      ["Bitte eine kurze Zusammenfassung des Textes", ""],
      ["Können Sie das zusammenfassen?", ""],
      ["Worum geht es in dem Dokument?", ""],
      ["Summarize the document", ""],
      ["Please summarise this file in three sentences", ""],
      ["Give me a summary of the attached document", ""],
      ["Can you sum this up?", ""],
      ["TL;DR", ""],
      ["Fasse die Reiserichtlinie zusammen", "Reiserichtlinie"],
      ["Summarize the Travel Policy 2026", "Travel Policy 2026"],
      ["Wie hoch ist die Miete?", null],
      ["Wer arbeitet mit Ann zusammen?", null],
      [`Summarize ${"this ".repeat(100)}`, null],
    ];
    for (const [question, subject] of asked) expect(subjectOfSummary(question), question).to.equal(subject);
  });

  it("are of what is named, and of nothing else", async () => {
    const others = [
      file(rules, { id: "a", title: "Kantine.md" }),
      file(rules, { id: "b", title: "Die Reiserichtlinie.md" }),
    ];
    const { cited } = await answer("Fasse die Reiserichtlinie zusammen", ...others);
    expect(cited.map(({ evidence: { id } }) => id)).to.deep.equal(["b"]);
    const { text } = await answer("Fasse zusammen, was für Belege gilt", ...others);
    expect(text).to.contain(phrases.de.found);
  });

  describe("of documents", () => {
    let chat: ChatUnderTest;
    let log: string[];
    let text: string | null;
    before(async () => {
      chat = await startChat({
        searches: {
          internalSearch: {
            search: ({ query }) => {
              log.push(`searched ${query}`);
              const found = [passage({ id: "wiki__other", title: "Kantine" }), passage({ title: "Reiserichtlinie" })];
              return Promise.resolve(found);
            },
          },
          documents: {
            read: (person, id) => {
              log.push(`${person} read ${id}`);
              return Promise.resolve(text);
            },
          },
        },
      });
    });
    beforeEach(() => {
      log = [];
      text = rules;
    });
    after(() => chat.stop());

    const asked = async (...said: readonly string[]) => {
      const messages = said.map((content, at) => ({ role: at % 2 === 0 ? "user" : "assistant", content }));
      const answered = await chat.ask({ model: "amber-extractive", messages, ...tools("internalSearch") });
      const { choices, sources } = (await answered.json()) as {
        choices: readonly { message: { content: string } }[];
        sources: readonly { id: string }[];
      };
      return { said: choices[0]?.message.content, ids: sources.map(({ id }) => id) };
    };

    it("are of the whole text, which is read as the person who asks", async () => {
      const { said, ids } = await asked("Fasse die Reiserichtlinie zusammen");
      expect(log).to.deep.equal(["searched Reiserichtlinie", "ada@example.org read wiki__leave.md"]);
      expect(said).to.contain("> Das Geld kommt mit dem nächsten Gehalt").and.contain("· 2024-05-01 ·");
      expect(ids).to.deep.equal(["wiki__leave.md"]);
    });

    it("are of what was asked for before, where nothing is named", async () => {
      const { ids } = await asked("Was gibt es in der Kantine?", "Suppe.", "Fasse das Dokument zusammen");
      expect(log).to.deep.equal(["searched Was gibt es in der Kantine?", "ada@example.org read wiki__other"]);
      expect(ids).to.deep.equal(["wiki__other"]);
    });

    it("are of what was found, where the document may not be seen any more", async () => {
      text = null;
      expect((await asked("Fasse die Reiserichtlinie zusammen")).said).to.contain("Thirty days of leave.");
    });
  });
});
