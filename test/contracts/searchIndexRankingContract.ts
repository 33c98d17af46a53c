import { expect } from "chai";
import { SearchScenario, type SearchIndexUnderTest } from "./searchIndexScenario.js";

/** Expectations of order, not of scores: engines score differently. */
export function searchIndexRankingContract(open: () => Promise<SearchIndexUnderTest>): void {
  let scenario: SearchScenario;
  beforeEach(async () => {
    scenario = new SearchScenario(await open());
    await scenario.given(scenario.datasource({ name: "wiki" }));
  });
  afterEach(() => scenario.close());

  const filler = (count: number, text: string) =>
    Array.from({ length: count }, (_, n) => scenario.document({ id: `filler${n}`, title: `Note ${n}`, text }));

  it("puts the answer to a question first", async () => {
    await scenario.given(
      ...filler(20, "The harbour of the city is large and people like to walk there in summer."),
      scenario.document({
        id: "answer",
        title: "Lighthouse",
        text: "The lighthouse at the harbour was built in 1846 by the engineer Stevenson.",
      }),
      scenario.document({ id: "near", title: "Museum", text: "The museum near the harbour was opened in 1952." }),
    );
    const [first] = await scenario.found("When was the lighthouse at the harbour built?");
    expect(first).to.equal("answer");
  });

  it("lets rare words weigh more than frequent ones", async () => {
    await scenario.given(...filler(30, "harbour"), scenario.document({ id: "rare", title: "Note", text: "astrolabe" }));
    expect((await scenario.found("harbour astrolabe"))[0]).to.equal("rare");
  });

  it("lets a title weigh more than a text", async () => {
    await scenario.given(
      ...filler(10, "mountain"),
      scenario.document({ id: "in-text", title: "Some title", text: "astrolabe and more" }),
      scenario.document({ id: "in-title", title: "Astrolabe title", text: "something and more" }),
      scenario.document({ id: "in-text-too", title: "Some title", text: "astrolabe and more" }),
    );
    expect((await scenario.found("astrolabe"))[0]).to.equal("in-title");
  });

  it("puts documents that hold more of the words before documents that hold fewer", async () => {
    await scenario.given(
      ...filler(10, "mountain"),
      scenario.document({ id: "one", title: "Note", text: "astrolabe in the north of the land" }),
      scenario.document({ id: "both", title: "Note", text: "astrolabe and sextant in the north" }),
      scenario.document({ id: "other", title: "Note", text: "sextant in the north of the land" }),
    );
    expect((await scenario.found("astrolabe sextant"))[0]).to.equal("both");
  });

  it("scores fall, and of equals the newer comes first", async () => {
    await scenario.given(...filler(12, "harbour"));
    const { hits } = await scenario.search("harbour");
    const scores = hits.map((hit) => hit.score);
    expect(scores).to.deep.equal([...scores].sort((a, b) => b - a));
    expect(hits[0]?.id).to.equal("wiki__filler11");
  });

  it("pages through everything once, in one order, whatever the size of a page", async () => {
    await scenario.given(
      ...Array.from({ length: 57 }, (_, n) =>
        scenario.document({ id: `d${n}`, title: "Note", text: `harbour ${"fog ".repeat(n % 4)}` }),
      ),
    );
    const whole = await scenario.found("harbour fog");
    expect(new Set(whole).size).to.equal(57);
    for (const count of [1, 7, 10, 56]) {
      const pages: string[] = [];
      for (let startPage = 0; startPage * count < 57; startPage++)
        pages.push(...(await scenario.found("harbour fog", { count, startPage })));
      expect(pages, `${count} a page`).to.deep.equal(whole);
    }
  });

  it("answers an empty page behind the last one, with the total", async () => {
    await scenario.given(...filler(12, "harbour"));
    expect(await scenario.search("harbour", { count: 10, startPage: 5 })).to.deep.equal({
      hits: [],
      total: 12,
      totalRelation: "eq",
    });
    expect((await scenario.search("harbour", { count: 100, startPage: 1_000_000 })).hits).to.deep.equal([]);
  });
}
