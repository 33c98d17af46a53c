import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { openSqliteSearchReader } from "../../../../src/adapters/search/sqlite/openSqliteSearchReader.js";
import { SearchScenario } from "../../../contracts/searchIndexScenario.js";
import { temporaryFolder } from "../../../support/temporaryFolder.js";
import { ampleBudget, openSearchIndex } from "./openSearchIndex.js";

/** Of one length, so that the average length, which changes with each document, weighs on none. */
const texts = ["harbour harbour fog", "houses house harbour", "fog fog fog", "mountain fog house"];
const titles = ["Harbour house", "Some note", "Fog fog"];
const filters = { datasources: null, fileTypes: null, modifiedFrom: null, modifiedTo: null };

describe("documents that a reader adds to the words that it remembers", () => {
  let file: string;
  let scenario: SearchScenario;
  beforeEach(async () => {
    const folder = temporaryFolder("search-index").path;
    file = join(folder, "search.sqlite");
    scenario = new SearchScenario(await openSearchIndex(file, () => rmSync(folder, { recursive: true })));
    await scenario.given(scenario.datasource({ name: "wiki" }));
  });
  afterEach(() => scenario.close());

  const documents = (first: number, count: number) =>
    Array.from({ length: count }, (_, n) =>
      scenario.document({ id: `d${first + n}`, title: titles[n % titles.length], text: texts[n % texts.length] ?? "" }),
    );

  /** What the reader answers, and one that has never seen the file before. */
  const scores = async (query: string) => {
    const fresh = await openSqliteSearchReader({ file, budget: ampleBudget });
    const question = { query, held: scenario.holding({}), filters, count: 100, startPage: 0 };
    const pages = [await scenario.search(query), await fresh.search(question)];
    await fresh.close();
    return pages.map(({ hits }) => hits.map(({ id, score }) => `${id} ${score.toFixed(3)}`));
  };

  const expectToRankAsAFreshReader = async (): Promise<void> => {
    for (const query of ["harbour", "house fog", "mountain hous"]) {
      const [remembered, fresh] = await scores(query);
      expect(fresh, query).to.not.deep.equal([]);
      expect(remembered, query).to.deep.equal(fresh);
    }
  };

  it("weigh as much as they do to one that has never seen the file", async () => {
    await scenario.given(...documents(0, 4));
    await expectToRankAsAFreshReader();
    await scenario.given(...documents(10, 3));
    await scenario.given(...documents(20, 9));
    await expectToRankAsAFreshReader();
  });

  it("weigh as much where the documents before them are gone", async () => {
    await scenario.given(...documents(0, 4));
    await expectToRankAsAFreshReader();
    await scenario.given(...["d0", "d1", "d2", "d3"].map((id) => scenario.deleted(id)));
    for (let first = 10; first < 60; first += 2) await scenario.given(...documents(first, 2));
    await expectToRankAsAFreshReader();
  });
});
