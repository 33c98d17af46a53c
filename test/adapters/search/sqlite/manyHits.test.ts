import { join } from "node:path";
import { expect } from "chai";
import { seededRandom } from "../../../../bench/corpus.js";
import { openSqliteSearchReader } from "../../../../src/adapters/search/sqlite/openSqliteSearchReader.js";
import type { SearchPage } from "../../../../src/readModels/search.js";
import { noFilters, SearchScenario } from "../../../contracts/searchIndexScenario.js";
import { temporaryFolder } from "../../../support/temporaryFolder.js";
import { ampleBudget, openSearchIndex } from "./openSearchIndex.js";

const documents = 13_000;
const batchSize = 1_000;
const pilot = { groups: ["pilots"] };
/** From a word in almost all documents to one in few. */
const words = ["harbour", "lighthouse", "mountain", "island", "fog", "compass", "anchor", "barometer"];
const questions = [
  "harbour",
  "harbour lighthouse",
  "harbour lighthouse mountain fog compass",
  "is there any anchor at the harbour beside the lighthouse of the island mountain",
  "barometer anchor compass fog island mountain lighthouse harbour",
  "where does the unknowable barometer of the harbour mountain lighthouse stand",
];

/** The two ways to say what the words of a query find: all are scored where they are counted by something. */
const facets = { fields: ["file_type" as const], windows: [] };
const withoutFacets = ({ hits, total, totalRelation }: SearchPage) => ({ hits, total, totalRelation });

describe("a query with more hits than are counted", () => {
  const folder = temporaryFolder("many-hits");
  const file = join(folder.path, "search.sqlite");
  const random = seededRandom(5);
  let scenario: SearchScenario;
  const documentOf = (id: number) => {
    const text = Array.from({ length: 24 }, () => words[Math.floor(random() ** 6 * words.length)]);
    const access = { groups: [random() < 0.98 ? "pilots" : "cooks"] };
    return scenario.document({
      id: `d${id}`,
      title: id % 400 === 0 ? "Harbour lighthouse" : id % 600 === 0 ? "Harbour" : `Note ${id}`,
      text: `${text.join(" ")} this is what they have and that was with them`,
      access,
    });
  };
  before(async () => {
    scenario = new SearchScenario(await openSearchIndex(file, folder.remove));
    await scenario.given(scenario.datasource({ name: "wiki" }));
    for (let from = 0; from < documents; from += batchSize)
      await scenario.given(...Array.from({ length: batchSize }, (_, n) => documentOf(from + n)));
  });
  after(() => scenario.close());

  it("finds the document whose title is the only rare word of a question", async () => {
    await scenario.given(scenario.document({ id: "leave", title: "Urlaub", text: "alles dazu", access: pilot }));
    for (const query of [
      "Anspruch Resttage Sonderfall Urlaub",
      "Wo beantrage ich meinen Urlaub schriftlich rechtzeitig",
    ])
      expect((await scenario.found(query, { as: pilot }))[0], query).to.equal("leave");
    expect(await scenario.found("Anspruch Resttage Sonderfall harbour", { as: pilot })).to.deep.equal([]);
    await scenario.given(scenario.deleted("leave"));
  });

  /** What a reader that has never seen the file before answers to each question. */
  const answersOfNewReader = async (): Promise<readonly SearchPage[]> => {
    const reader = await openSqliteSearchReader({ file, budget: ampleBudget });
    const asked = { held: scenario.holding(pilot), filters: noFilters, count: 20, startPage: 0 };
    const pages = await Promise.all(questions.map((query) => reader.search({ query, ...asked })));
    await reader.close();
    return pages;
  };

  it("finds the same first documents whether all are scored or only those that can come first", async () => {
    for (const query of questions) {
      const first = await scenario.search(query, { as: pilot, count: 50 });
      const all = await scenario.search(query, { as: pilot, count: 50, facets });
      expect(first, query).to.deep.equal(withoutFacets(all));
      expect(first.totalRelation, query).to.equal("gte");
    }
  });

  it("goes on with the next page where the first ones end", async () => {
    for (const query of questions) {
      const pages = [0, 1, 2, 3].map((startPage) => scenario.search(query, { as: pilot, count: 20, startPage }));
      const hits = (await Promise.all(pages)).flatMap((page) => page.hits);
      const whole = await scenario.search(query, { as: pilot, count: 80, facets });
      expect(hits, query).to.deep.equal(whole.hits);
    }
  });

  it("weighs words by what is open, after documents have come, gone and changed", async () => {
    for (let step = 0; step < 3; step++) {
      await scenario.given(
        ...Array.from({ length: 300 }, (_, n) => scenario.deleted(`d${step * 1_000 + n}`)),
        ...Array.from({ length: 200 }, (_, n) => documentOf(step * 1_000 + 500 + n)),
        ...Array.from({ length: 400 }, (_, n) => documentOf(documents + step * 400 + n)),
      );
      const fresh = await answersOfNewReader();
      for (const [index, query] of questions.entries()) {
        const remembered = await scenario.search(query, { as: pilot, count: 20 });
        expect(remembered, `${query}, step ${step}`).to.deep.equal(fresh[index]);
      }
    }
  });
});
