import { setImmediate as nextTurn } from "node:timers/promises";
import { expect } from "chai";
import type { Embedder } from "../../projections/search/ports.js";
import { Synonyms } from "../support/models/synonyms.js";
import { noFilters, SearchScenario, type SearchIndexUnderTest } from "./searchIndexScenario.js";

/** Finding documents by what they mean. `open` gives a fresh index whose vectors this embedder makes. */
export function searchIndexMeaningContract(open: (embedder: Embedder) => Promise<SearchIndexUnderTest>): void {
  let synonyms: Synonyms;
  let scenario: SearchScenario;
  beforeEach(async () => {
    synonyms = new Synonyms();
    scenario = new SearchScenario(await open(synonyms));
    await scenario.given(scenario.datasource({ name: "wiki" }), scenario.datasource({ name: "jira" }));
  });
  afterEach(() => scenario.close());

  type Options = Parameters<SearchScenario["search"]>[1];
  const asked = (query: string, options: Options = {}) => ({ meaning: synonyms.meaning(query), ...options });
  const found = (query: string, options?: Options) => scenario.found(query, asked(query, options));
  const search = (query: string, options?: Options) => scenario.search(query, asked(query, options));
  /** Vectors are made after the documents: asks until these are found. */
  const finds = async (query: string, ids: readonly string[], options?: Options): Promise<void> => {
    for (;;) {
      const now = await found(query, options);
      if (JSON.stringify([...now].sort()) === JSON.stringify([...ids].sort())) return;
      await nextTurn();
    }
  };
  /** Resolves once everything so far has its vectors. */
  const isEmbedded = async (): Promise<void> => {
    await scenario.given(scenario.document({ id: "last", title: "blaze", text: "blaze" }));
    await finds("fire", ["last"]);
  };

  it("finds what holds none of the words, shows the passage that means them, and counts it", async () => {
    await scenario.given(scenario.document({ id: "a", title: "Fleet", text: "Each automobile is washed on Monday." }));
    await finds("car", ["a"]);
    const { hits, total } = await search("car");
    expect(total).to.equal(1);
    expect(hits[0]?.snippet).to.equal("Each automobile is washed on Monday.");
    expect((await scenario.search("car")).total).to.equal(0);
  });

  it("shows the passage of a long document that is nearest", async () => {
    const filling = Array.from({ length: 400 }, (_unused, n) => `Nothing to see in sentence ${n}.`).join(" ");
    const text = `${filling}\n\n# Fleet\n\nEach automobile is washed.\n\n# Other\n\n${filling}`;
    await scenario.given(scenario.document({ id: "a", title: "Rules", text }));
    await finds("car", ["a"]);
    const { hits } = await search("car");
    expect(hits[0]?.snippet).to.match(/automobile/);
  });

  it("finds nothing by its meaning that the person may not see", async () => {
    await scenario.given(
      scenario.document({ id: "open", text: "The automobile and other things, such as salary." }),
      scenario.document({ id: "hidden", text: "automobile", access: { groups: ["board"] } }),
      scenario.document({ id: "of jira", datasource: "jira", text: "automobile" }),
    );
    await isEmbedded();
    const { hits, total } = await search("car");
    expect([hits.map(({ id }) => id), total]).to.deep.equal([["wiki__open"], 1]);
    expect(await found("car", { as: { groups: ["board"] } })).to.have.members(["hidden", "open"]);
    expect(await found("car", { as: { registeredOn: [] } })).to.deep.equal([]);
  });

  it("answers a person alike whether there are hidden documents or not", async () => {
    await scenario.given(scenario.document({ id: "open", text: "an automobile" }));
    await isEmbedded();
    const before = await search("car");
    await scenario.given(
      ...Array.from({ length: 60 }, (_unused, n) =>
        scenario.document({ id: `hidden ${n}`, text: "automobile", access: {} }),
      ),
    );
    await isEmbedded();
    expect(await search("car")).to.deep.equal(before);
  });

  it("takes nothing that is near for a weak match by its words", async () => {
    const question = "what about a car that nobody drives on Sunday afternoon in winter";
    await scenario.given(
      scenario.document({ id: "near", text: "automobile" }),
      scenario.document({ id: "match", text: "nobody drives on Sunday afternoon in winter" }),
    );
    await isEmbedded();
    expect(await found(question)).to.include.members(["near", "match"]);
  });

  it("puts what is found both ways first", async () => {
    await scenario.given(
      scenario.document({ id: "by meaning", text: "automobile" }),
      scenario.document({ id: "by word", text: "car salary salary salary salary" }),
      scenario.document({ id: "by both", text: "car automobile in a longer text about something else" }),
    );
    await isEmbedded();
    expect((await found("car"))[0]).to.equal("by both");
    expect(await found("car")).to.have.members(["by both", "by word", "by meaning"]);
  });

  it("tells the places of a hit in both rankings, where hits are explained", async () => {
    await scenario.given(
      scenario.document({ id: "by meaning", text: "automobile" }),
      scenario.document({ id: "by word", text: "car salary salary salary salary" }),
      scenario.document({ id: "by both", text: "car automobile in a longer text about something else" }),
    );
    await isEmbedded();
    const { hits } = await search("car", { explain: true });
    const fusions = hits.flatMap(({ explanation }) => explanation?.fusion ?? []);
    const worthOf = (place: number | null): number => (place === null ? 0 : 1 / (59 + place));
    for (const { byWords, byMeaning, worth } of fusions)
      expect(worth).to.be.closeTo(worthOf(byWords) + worthOf(byMeaning), 1e-12);
    const worths = fusions.map(({ worth }) => worth);
    expect(worths).to.have.length(hits.length);
    expect(worths).to.deep.equal(worths.toSorted((a, b) => b - a));
    const meant = hits.find(({ id }) => id.endsWith("by meaning"))?.explanation;
    expect(meant).to.include({ score: 0, scored: "meaning" });
    expect(meant?.fusion?.byWords).to.equal(null);
    expect(fusions[0]).to.include({ byWords: 2 });
    expect((await scenario.search("car", { explain: true })).hits[0]?.explanation).not.to.have.property("fusion");
  });

  it("keeps to filters, to phrases that are required, and to what is excluded", async () => {
    await scenario.given(
      scenario.document({ id: "red", text: "a red automobile", fileType: "issue" }),
      scenario.document({ id: "blue", text: "a blue automobile" }),
    );
    await isEmbedded();
    expect(await found("car", { filters: { ...noFilters, fileTypes: ["issue"] } })).to.deep.equal(["red"]);
    expect(await found('car "blue automobile"')).to.deep.equal(["blue"]);
    expect(await found("car -blue")).to.deep.equal(["red"]);
  });

  it("counts what it finds by meaning with the rest, within all filters", async () => {
    await scenario.given(
      scenario.document({ id: "by word", text: "car", author: "Ada" }),
      scenario.document({ id: "by both", text: "car automobile", author: "Ada" }),
      scenario.document({ id: "by meaning", text: "automobile", author: "Grace", fileType: "issue" }),
      scenario.document({ id: "hidden", text: "automobile", author: "Mallory", access: {} }),
    );
    await isEmbedded();
    const facets = { fields: ["author", "file_type"], windows: [] } as const;
    const authors = [
      { value: "Ada", count: 2 },
      { value: "Grace", count: 1 },
    ];
    const types = [
      { value: "page", count: 2 },
      { value: "issue", count: 1 },
    ];
    const whole = await search("car", { facets });
    expect([whole.total, whole.facets?.counts]).to.deep.equal([3, { author: authors, file_type: types }]);
    const issues = await search("car", { facets, filters: { ...noFilters, fileTypes: ["issue"] } });
    expect([issues.total, issues.facets?.counts]).to.deep.equal([1, { author: [authors[1]], file_type: types }]);
  });

  it("finds others beside documents with many passages that are near", async () => {
    const sentence = "An automobile is an automobile is an automobile wherever it goes.";
    await scenario.given(
      ...Array.from({ length: 4 }, (_unused, n) =>
        scenario.document({ id: `long ${n}`, text: Array.from({ length: 1_500 }, () => sentence).join(" ") }),
      ),
      scenario.document({ id: "other", text: "automobile and salary" }),
    );
    await isEmbedded();
    expect(await found("car")).to.deep.equal(["long 3", "long 2", "long 1", "long 0", "other"]);
  });

  it("finds a document by what it means now, and no more once it is gone", async () => {
    await scenario.given(
      scenario.document({ id: "a", text: "automobile" }),
      scenario.document({ id: "b", text: "wagen" }),
    );
    await finds("car", ["a", "b"]);
    await scenario.given(scenario.document({ id: "a", text: "vacation" }), scenario.deleted("b"));
    expect(await found("car")).to.deep.equal([]);
    await finds("holiday", ["a"]);
    await scenario.given(scenario.datasourceDeleted("wiki"));
    expect(await found("holiday")).to.deep.equal([]);
  });

  it("gives no vectors to what goes or changes while the model is asked", async () => {
    let change: Promise<void> | null = null;
    synonyms.meanwhile = () =>
      (change ??= scenario.given(
        scenario.deleted("gone"),
        scenario.document({ id: "changed", text: "vacation" }),
        scenario.datasourceDeleted("jira"),
      ));
    await scenario.given(
      scenario.document({ id: "gone", text: "automobile" }),
      scenario.document({ id: "changed", text: "automobile" }),
      scenario.document({ datasource: "jira", id: "erased", text: "automobile" }),
    );
    await finds("holiday", ["changed"]);
    expect(await found("car", { as: { registeredOn: ["wiki", "jira"] } })).to.deep.equal([]);
    await scenario.given(scenario.document({ id: "gone", text: "wages" }));
    await finds("salary", ["gone"]);
    expect(await found("car")).to.deep.equal([]);
  });

  it("remembers over a restart, and shows nothing to the model again", async () => {
    await scenario.given(scenario.document({ id: "a", text: "automobile" }));
    await isEmbedded();
    const shown = synonyms.shown.length;
    await scenario.restart();
    expect(await found("car")).to.deep.equal(["a"]);
    expect(synonyms.shown).to.have.length(shown);
  });

  it("goes by words alone where the question is of another model, or of another length", async () => {
    await scenario.given(scenario.document({ id: "a", text: "automobile" }));
    await isEmbedded();
    for (const other of [new Synonyms("other"), new Synonyms("synonyms", 3)])
      expect(await scenario.found("car", { meaning: other.meaning("car") })).to.deep.equal([]);
  });

  it("finds only what is near enough", async () => {
    await scenario.given(scenario.document({ id: "a", text: "automobile vacation wages" }));
    await isEmbedded();
    expect(await scenario.found("car", { meaning: synonyms.meaning("car", 0.5) })).to.deep.equal(["a"]);
    expect(await scenario.found("car", { meaning: synonyms.meaning("car", 0.9) })).to.deep.equal([]);
  });

  it("indexes and finds by words while the model is down, and goes on once it is back", async () => {
    synonyms.isDown = true;
    await scenario.given(scenario.document({ id: "a", text: "automobile" }));
    expect(await found("automobile")).to.deep.equal(["a"]);
    expect(await found("car")).to.deep.equal([]);
    synonyms.isDown = false;
    await finds("car", ["a"]);
  });

  it("tells how many documents have no vectors yet", async () => {
    const without = (model = synonyms.model) => scenario.reader.withoutVectors(model);
    synonyms.isDown = true;
    await scenario.given(
      scenario.document({ id: "a", text: "automobile" }),
      scenario.document({ id: "b", text: "refused automobile" }),
    );
    expect(await without()).to.equal(2);
    synonyms.refuses = (text) => text.includes("refused");
    synonyms.isDown = false;
    while ((await without()) > 0) await nextTurn();
    expect(await without("another")).to.equal(2);
    await scenario.given(scenario.document({ id: "a", text: "vacation" }));
    while ((await without()) > 0) await nextTurn();
    expect(await found("holiday")).to.deep.equal(["a"]);
  });

  for (const [trouble, does] of [
    ["rejected", "refuses"],
    ["malformed", "makes nonsense of"],
  ] as const)
    it(`leaves a document without vectors that the model ${does}, and holds up no other`, async () => {
      synonyms.refuses = (text) => text.includes("refused");
      synonyms.trouble = trouble;
      await scenario.given(
        scenario.document({ id: "refused", text: "refused automobile" }),
        scenario.document({ id: "taken", text: "automobile" }),
      );
      await finds("car", ["taken"]);
      expect(await found("refused")).to.include("refused");
    });

  it("leaves none without vectors where the model makes nonsense of everything, for as long as it does", async () => {
    synonyms.refuses = () => true;
    synonyms.trouble = "malformed";
    await scenario.given(scenario.document({ id: "a", text: "automobile" }));
    while (synonyms.failures < 10) await nextTurn();
    synonyms.refuses = () => false;
    await finds("car", ["a"]);
  });

  it("keeps no vectors of different lengths, which a model makes that is exchanged meanwhile", async () => {
    synonyms.lengthens = (text) => (text.includes("longer") ? 3 : 0);
    await scenario.given(
      scenario.document({ id: "a", text: "automobile" }),
      scenario.document({ id: "b", text: "a longer automobile" }),
    );
    while (synonyms.shown.length < 10) await nextTurn();
    expect(await found("car")).to.deep.equal([]);
    synonyms.lengthens = () => 0;
    await finds("car", ["a", "b"]);
  });

  it("makes pages that fit together, and no document twice", async () => {
    await scenario.given(
      ...Array.from({ length: 130 }, (_unused, n) => scenario.document({ id: `w${n}`, text: `car number ${n}` })),
      ...Array.from({ length: 70 }, (_unused, n) => scenario.document({ id: `m${n}`, text: `automobile ${n}` })),
    );
    await isEmbedded();
    const whole: string[] = [];
    for (let page = 0; page < 10; page++) whole.push(...(await found("car", { count: 30, startPage: page })));
    const { total } = await search("car");
    expect(whole).to.have.length(total);
    expect(new Set(whole)).to.have.property("size", total);
    expect(total).to.be.at.least(130);
  });
}
