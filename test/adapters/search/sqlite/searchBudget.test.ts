import { rmSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect } from "chai";
import { FullTextSearch } from "../../../../src/adapters/search/sqlite/fullTextSearch.js";
import { searchSchema } from "../../../../src/adapters/search/sqlite/schema.js";
import { openForReading } from "../../../../src/adapters/sqlite/database.js";
import { SearchBudget, type SearchBudgetOptions } from "../../../../src/adapters/search/sqlite/searchBudget.js";
import type { SearchPage } from "../../../../src/readModels/search.js";
import { createWorld, questionsOf, searchingPerson } from "../../../contracts/pairedWorlds.js";
import { incarnationOf, noFilters, SearchScenario } from "../../../contracts/searchIndexScenario.js";
import { temporaryFolder } from "../../../support/temporaryFolder.js";
import { openSearchIndex } from "./openSearchIndex.js";

async function openScenario(budget: SearchBudgetOptions): Promise<SearchScenario> {
  const folder = temporaryFolder("search-index").path;
  const remove = (): void => rmSync(folder, { recursive: true });
  return new SearchScenario(await openSearchIndex(join(folder, "search.sqlite"), remove, { budget }));
}

describe("the budget of a search", () => {
  it("does not count how long its thread waits for a processor", () => {
    let [now, waited] = [0, 7];
    const budget = new SearchBudget({ phraseDocuments: 1, budgetMs: 100, now: () => now, waited: () => waited }, 0);
    [now, waited] = [100, 7];
    expect(budget.isOver).to.equal(false);
    [now, waited] = [5_000, 4_907];
    expect(budget.isOver).to.equal(false);
    [now, waited] = [5_001, 4_907];
    expect(budget.isOver).to.equal(true);
  });

  describe("of documents in which phrases are looked for", () => {
    let scenario: SearchScenario;
    const as = { groups: ["pilots"] };
    before(async () => {
      scenario = await openScenario({ phraseDocuments: 20, budgetMs: 60_000 });
      await scenario.given(
        scenario.datasource({ name: "wiki" }),
        ...Array.from({ length: 60 }, (_, n) =>
          scenario.document({
            id: `d${n}`,
            title: `Note ${n}`,
            text: `harbour mountain fog ${n === 3 ? "astrolabe" : "lantern"} ${n % 2 === 0 ? "red boat" : "boat red"}`,
            access: { groups: [n % 3 === 0 ? "cooks" : "pilots"] },
          }),
        ),
      );
    });
    after(() => scenario.close());
    const told = ({ total, totalRelation, partial, hits }: SearchPage): object => ({
      ...{ total, totalRelation, partial },
      oldest: Math.min(...hits.map(({ id }) => Number(id.slice("wiki__d".length)))),
    });

    it("stops where a phrase of common words was looked for in as many of the person's documents, and says so", async () => {
      const page = await scenario.search('"harbour mountain"', { as, count: 50 });
      expect(told(page)).to.deep.equal({ total: 20, totalRelation: "gte", partial: true, oldest: 31 });
    });

    it("shares them among all phrases", async () => {
      const page = await scenario.search('"harbour mountain" "mountain fog"', { as, count: 50 });
      expect(told(page)).to.deep.equal({ total: 10, totalRelation: "gte", partial: true, oldest: 46 });
    });

    it("shows nothing that it has not looked into for what is excluded", async () => {
      const page = await scenario.search('harbour -"red boat"', { as, count: 50 });
      expect(told(page)).to.deep.equal({ total: 10, totalRelation: "gte", partial: true, oldest: 31 });
    });

    it("looks for a phrase with a rare word everywhere", async () => {
      const page = await scenario.search('"fog astrolabe"', { as: { groups: ["cooks"] }, count: 50 });
      expect(told(page)).to.deep.equal({ total: 1, totalRelation: "eq", partial: undefined, oldest: 3 });
    });

    it("stops in the same place where an earlier search was allowed more", async () => {
      await scenario.search('"mountain fog"', { as, count: 50 });
      const page = await scenario.search('"mountain fog" "harbour mountain"', { as, count: 50 });
      expect(told(page)).to.deep.include({ total: 10, oldest: 46 });
    });
  });

  it("tells nothing about hidden documents by where it stops", async () => {
    const worlds = [];
    for (const world of ["without hidden", "with hidden"] as const) {
      const scenario = await openScenario({ phraseDocuments: 7, budgetMs: 60_000 });
      await createWorld(scenario, world);
      worlds.push(scenario);
    }
    const questions = (["a phrase", "an exclusion", "words that are written together"] as const).flatMap((kind) =>
      questionsOf(kind, 25),
    );
    const [without, withHidden] = await Promise.all(
      worlds.map((world) =>
        Promise.all(questions.map(({ query, ...more }) => world.search(query, { ...more, as: searchingPerson }))),
      ),
    );
    expect(without?.some(({ partial }) => partial === true)).to.equal(true);
    expect(JSON.stringify(withHidden)).to.equal(JSON.stringify(without));
    for (const world of worlds) await world.close();
  });

  it("shows nothing where there was no time to look for an excluded word", async () => {
    const folder = temporaryFolder("search-index").path;
    const file = join(folder, "search.sqlite");
    const scenario = new SearchScenario(await openSearchIndex(file, () => rmSync(folder, { recursive: true })));
    await scenario.given(
      scenario.datasource({ name: "wiki" }),
      scenario.document({ id: "a", text: "harbour boat" }),
      scenario.document({ id: "b", text: "harbour lantern" }),
    );
    const database = openForReading({ file, schema: searchSchema, durability: "rebuildable" });
    const options = { phraseDocuments: 100, budgetMs: 60_000, cacheBytes: 1_000_000 };
    const fullText = new FullTextSearch(database, options);
    const filters = { datasources: null, fileTypes: null, modifiedFrom: null, modifiedTo: null };
    const search = (query: string): SearchPage =>
      fullText.searchAmong([{ datasourceId: incarnationOf("wiki"), documentIds: JSON.stringify(["a", "b"]) }], {
        query,
        filters,
        count: 10,
        startPage: 0,
      });
    expect(search("harbour").total).to.equal(2);
    options.budgetMs = -1;
    expect(search("harbour").total).to.equal(2);
    const unread = { hits: [], total: 0, totalRelation: "gte", partial: true, isUnread: true };
    expect(search("harbour -boat")).to.deep.equal(unread);
    options.budgetMs = 60_000;
    expect(search("harbour -boat").hits.map(({ id }) => id)).to.deep.equal(["wiki__b"]);
    database.close();
    await scenario.close();
  });

  it("ends in the middle of a word, says so, and leaves the rest to those that follow", async () => {
    const folder = temporaryFolder("search-index").path;
    const file = join(folder, "search.sqlite");
    const scenario = new SearchScenario(await openSearchIndex(file, () => rmSync(folder, { recursive: true })));
    const smallPages = new Database(file);
    smallPages.exec("INSERT INTO terms (terms, rank) VALUES ('pgsz', 64)");
    smallPages.close();
    const documents = Array.from({ length: 300 }, (_, n) => scenario.document({ id: `d${n}`, text: "harbour" }));
    await scenario.given(scenario.datasource({ name: "wiki" }), ...documents);
    const database = openForReading({ file, schema: searchSchema, durability: "rebuildable" });
    let now = 0;
    const options = { phraseDocuments: 100, budgetMs: 20, now: () => now++, cacheBytes: 1_000_000 };
    const fullText = new FullTextSearch(database, options);
    const { key: heldKey, tokens } = scenario.holding({});
    fullText.classes.learn(heldKey, tokens);
    const question = { heldKey, query: "harbour", filters: noFilters, count: 10, startPage: 0 };
    const pages = Array.from({ length: 20 }, () => fullText.search(question));
    const totals = pages.map(({ total }) => total);
    expect(totals[0]).to.be.within(1, 299);
    expect(pages[0]).to.deep.include({ totalRelation: "gte", partial: true });
    expect(totals).to.deep.equal(totals.toSorted((a, b) => a - b));
    expect(pages.at(-1)).to.deep.include({ total: 300, totalRelation: "eq" });
    database.close();
    await scenario.close();
  });

  it("is given anew where nothing was found because its time was over, and says so where that is of no use", async () => {
    const folder = temporaryFolder("search-index").path;
    const file = join(folder, "search.sqlite");
    const scenario = new SearchScenario(await openSearchIndex(file, () => rmSync(folder, { recursive: true })));
    await scenario.given(scenario.datasource({ name: "wiki" }), scenario.document({ id: "a", text: "harbour" }));
    const database = openForReading({ file, schema: searchSchema, durability: "rebuildable" });
    const { key: heldKey, tokens } = scenario.holding({});
    const question = { heldKey, query: "harbour", filters: noFilters, count: 10, startPage: 0 };
    /** A search on a machine that takes a second for each of so many steps. */
    const after = (slowSteps: number): SearchPage => {
      let steps = 0;
      const now = (): number => 1_000 * Math.min(++steps, slowSteps);
      const fullText = new FullTextSearch(database, { phraseDocuments: 100, budgetMs: 20, now, cacheBytes: 1_000_000 });
      fullText.classes.learn(heldKey, tokens);
      return fullText.search(question);
    };
    for (const slowSteps of [2, 7, 20]) expect(after(slowSteps).hits, `${slowSteps}`).to.have.length(1);
    expect(after(1_000_000)).to.deep.include({ total: 0, isUnread: true });
    database.close();
    await scenario.close();
  });
});
