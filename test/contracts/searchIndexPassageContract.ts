import { expect } from "chai";
import { SearchScenario, type SearchIndexUnderTest } from "./searchIndexScenario.js";

/** 30,000 words, a paragraph each hundred: none of them is asked for. */
const paragraphs = 300;
const words = "the company keeps its books in good order and looks after people who work there every day".split(" ");
const paragraph = (n: number): string =>
  Array.from({ length: 100 }, (_, at) => words[(n * 7 + at * 3) % words.length]).join(" ");

/** A long text with something said in some of its paragraphs. */
const longText = (said: Readonly<Record<number, string>>, count = paragraphs): string =>
  Array.from({ length: count }, (_, n) => `${paragraph(n)} ${said[n] ?? ""}`.trim()).join("\n\n");

const question = "astrolabe calibration interval";
const answer = "The calibration interval of an astrolabe is two years.";
/** The same words, as often and more often, each far from the others. */
const scattered = {
  20: "An astrolabe hangs here.",
  90: "An astrolabe hangs there.",
  130: "The calibration was paid.",
  180: "The calibration was late.",
  220: "An interval is left.",
  270: "An interval has passed.",
};

/** What long documents are found by, and what is shown of them. */
export function searchIndexPassageContract(open: () => Promise<SearchIndexUnderTest>): void {
  let scenario: SearchScenario;
  beforeEach(async () => {
    scenario = new SearchScenario(await open());
    await scenario.given(scenario.datasource({ name: "wiki" }));
  });
  afterEach(() => scenario.close());

  const document = (id: string, text: string, title = "Note") => scenario.document({ id, title, text });
  const snippetOf = async (query: string, id: string): Promise<string> =>
    (await scenario.search(query)).hits.find((hit) => hit.id === `wiki__${id}`)?.snippet ?? "";

  it("scores a long document that holds a name by its parts, and shows where", async () => {
    const filler = "Many other things are spoken of here as well. ".repeat(120);
    await scenario.given(
      scenario.document({ id: "long", text: `${filler}\n\nA retry has a longer backoff.\n\n${filler}` }),
    );
    const { hits } = await scenario.search("retry_backoff");
    expect(hits[0]?.score).to.be.above(0.01);
    expect(hits[0]?.snippet).to.include("<mark>retry</mark> has a longer <mark>backoff</mark>");
  });

  it("puts a long document whose passage answers before one of that length with the words far apart", async () => {
    await scenario.given(
      document("answers", longText({ 150: answer })),
      document("scattered", longText(scattered)),
      document("other", longText({})),
    );
    expect(await scenario.found(question)).to.deep.equal(["answers", "scattered"]);
  });

  it("puts it before short documents that hold some of the words, however many there are", async () => {
    const some = ["astrolabe", "calibration", "interval", "astrolabe"];
    await scenario.given(
      document("answers", longText({ 150: answer })),
      ...Array.from({ length: 120 }, (_, n) =>
        document(
          `some${n}`,
          `This ${some[n % some.length]} is a thing of ${words[n % words.length]} that people know.`,
        ),
      ),
    );
    expect((await scenario.found(question))[0]).to.equal("answers");
  });

  it("leaves a short document before it that says the same", async () => {
    await scenario.given(
      document("short", answer),
      document("long", longText({ 150: answer })),
      ...Array.from({ length: 20 }, (_, n) => document(`filler${n}`, paragraph(n))),
    );
    expect(await scenario.found(question)).to.deep.equal(["short", "long"]);
  });

  it("puts a long document with the words far apart behind short ones with more of them together", async () => {
    await scenario.given(
      document("scattered", longText(scattered)),
      document("two", "The calibration of the astrolabe was discussed by people."),
      ...Array.from({ length: 20 }, (_, n) => document(`filler${n}`, paragraph(n))),
    );
    expect(await scenario.found(question)).to.deep.equal(["two", "scattered"]);
  });

  it("counts and shows what stands deep in a text", async () => {
    await scenario.given(
      document("early", longText({ 1: answer })),
      document("deep", longText({ 290: answer })),
      document("deeper", longText({ 1_190: answer }, 1_200)),
      document("scattered", longText(scattered)),
    );
    expect((await scenario.found(question)).slice(0, 3)).to.have.members(["early", "deep", "deeper"]);
    for (const id of ["early", "deep", "deeper"])
      expect(await snippetOf(question, id)).to.include(
        "The <mark>calibration</mark> <mark>interval</mark> of an <mark>astrolabe</mark> is two years.",
      );
  });

  it("counts a heading's words for the passages below it", async () => {
    const below = (heading: string): string =>
      `# ${heading}\n\n${longText({}, 5)}\n\n## Terms\n\n${longText({ 3: "The interval is two years." }, 6)}`;
    const among = (heading: string): string =>
      `${longText({}, 40)}\n\n${below(heading)}\n\n# Other\n\n${longText({}, 40)}`;
    await scenario.given(
      document("elsewhere", `# Astrolabe\n\n${longText({}, 40)}\n\n${among("Something else")}`),
      document("below", `# Sextant\n\n${longText({}, 40)}\n\n${among("Astrolabe")}`),
    );
    const found = await scenario.found("astrolabe interval");
    expect(found[0]).to.equal("below");
    expect(await snippetOf("astrolabe interval", "below")).to.include("<mark>interval</mark> is two years.");
  });

  it("counts the title for every passage", async () => {
    await scenario.given(
      document("other", longText({ 200: "The calibration interval is a year." }), "Sextant"),
      document("titled", longText({ 200: "The calibration interval is a year." }), "Astrolabe"),
      document("other too", longText({ 200: "The calibration interval is a year." }), "Compass"),
    );
    expect((await scenario.found(question))[0]).to.equal("titled");
  });

  it("shows a quoted phrase, even where other places hold more of the words", async () => {
    const more = "Astrolabe and sextant, sextant and astrolabe: an astrolabe, a sextant, an interval, the calibration.";
    const phrase = "He sold a sextant by an astrolabe maker.";
    await scenario.given(
      document("short", `${more} ${paragraph(1)} ${phrase} ${paragraph(2)} ${more}`),
      document("long", longText({ 10: more, 700: phrase, 720: more }, 800)),
    );
    const query = 'calibration interval astrolabe "sextant by an astrolabe"';
    for (const id of ["short", "long"])
      expect((await snippetOf(query, id)).replaceAll(/<\/?mark>/g, ""), id).to.include("sextant by an astrolabe");
  });

  it("gives the best passage in plain words, and no more, where it is asked for", async () => {
    await scenario.given(
      document("short", `${answer} <b>Only this.</b>`),
      document("long", longText({ 290: answer })),
      document("elsewhere", longText({ 20: "An astrolabe & a sextant." })),
    );
    const { hits } = await scenario.search(question, { passages: true });
    const passageOf = (id: string): string => hits.find((hit) => hit.id === `wiki__${id}`)?.passage ?? "";
    expect(passageOf("short")).to.equal(`${answer} <b>Only this.</b>`);
    expect(passageOf("long")).to.include(answer).and.to.have.length.within(1_000, 2_200);
    expect(passageOf("elsewhere")).to.include("An astrolabe & a sextant.");
    expect((await scenario.search(question)).hits.some((hit) => "passage" in hit)).to.equal(false);
  });

  it("finds a long document by its properties and its title alone", async () => {
    await scenario.given(scenario.datasource({ name: "things", searchable: ["colour"] }));
    const value = Array.from({ length: 500 }, (_, n) => `shade${n}`).join(" ");
    await scenario.given(
      scenario.document({
        datasource: "things",
        id: "coloured",
        title: "Astrolabe",
        customProperties: [{ name: "colour", value }],
      }),
      scenario.document({
        datasource: "things",
        id: "long",
        title: "Sextant",
        text: longText({}),
        customProperties: [{ name: "colour", value: "crimson" }],
      }),
    );
    const as = { registeredOn: ["things"] };
    for (const [query, id] of [
      ["astrolabe", "coloured"],
      ["shade77", "coloured"],
      ["sextant", "long"],
      ["crimson", "long"],
    ] as const)
      expect(await scenario.found(query, { as }), query).to.deep.equal([id]);
  });

  it("counts a property in every passage from when it is searched", async () => {
    for (const count of [paragraphs, 10]) {
      const text = longText({ 5: "An astrolabe hangs here." }, count);
      const customProperties = [{ name: "colour", value: "crimson" }];
      await scenario.given(
        scenario.redefined("wiki", []),
        scenario.document({ id: `with${count}`, text, customProperties }),
        scenario.document({ id: `plain${count}`, text }),
      );
      const found = async () =>
        (await scenario.found("astrolabe crimson")).filter((id) => id.replace(/\D+/, "") === `${count}`);
      expect(await found()).to.deep.equal([`plain${count}`, `with${count}`]);
      await scenario.given(scenario.redefined("wiki", ["colour"]));
      expect(await found()).to.deep.equal([`with${count}`, `plain${count}`]);
    }
  });

  it("forgets the passages of what was replaced", async () => {
    await scenario.given(document("a", longText({ 150: answer })), document("b", longText(scattered)));
    await scenario.given(document("a", longText({ 150: "The calibration interval of a sextant is two years." })));
    await scenario.given(document("b", longText({ 10: answer })));
    expect(await scenario.found(question)).to.deep.equal(["b", "a"]);
    await scenario.given(document("b", "astrolabe"));
    expect(await scenario.found(question)).to.deep.equal(["a", "b"]);
    expect(await snippetOf(question, "b")).to.equal("<mark>astrolabe</mark>");
  });

  it("pages through long and short documents once, in one order, by falling score", async () => {
    await scenario.given(
      ...Array.from({ length: 90 }, (_, n) =>
        document(`d${n}`, longText({ [n % 20]: n % 3 === 0 ? answer : "An astrolabe.", 3: "interval" }, n % 25)),
      ),
      ...Array.from({ length: 30 }, (_, n) => document(`short${n}`, "calibration of an astrolabe ".repeat(n % 5))),
    );
    const whole = (await scenario.search(question)).hits;
    const scores = whole.map(({ score }) => score);
    expect(scores).to.deep.equal([...scores].sort((a, b) => b - a));
    for (const count of [10, 30]) {
      const pages: string[] = [];
      for (let startPage = 0; startPage * count < 100; startPage++)
        pages.push(...(await scenario.found(question, { count, startPage })));
      expect(pages.slice(0, 90), `${count} a page`).to.deep.equal(
        whole.slice(0, 90).map(({ id }) => id.slice("wiki__".length)),
      );
    }
  });
}
