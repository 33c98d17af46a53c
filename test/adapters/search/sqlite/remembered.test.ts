import { rmSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect } from "chai";
import * as fc from "fast-check";
import { openSqliteSearchReader } from "../../../../src/adapters/search/sqlite/openSqliteSearchReader.js";
import type { SearchPage } from "../../../../src/readModels/search.js";
import { noFilters, SearchScenario } from "../../../contracts/searchIndexScenario.js";
import { propertyRuns } from "../../../support/propertyRuns.js";
import { ampleBudget, openSearchIndex } from "./openSearchIndex.js";
import { temporaryFolder } from "../../../support/temporaryFolder.js";

const words = ["harbour", "lighthouse", "mountain", "fog"];

describe("what the reader remembers between searches", () => {
  let folder: string;
  let file: string;
  let scenario: SearchScenario;
  beforeEach(async () => {
    folder = temporaryFolder("search-index").path;
    file = join(folder, "search.sqlite");
    const options = { listedRemovals: 10 };
    scenario = new SearchScenario(await openSearchIndex(file, () => rmSync(folder, { recursive: true }), options));
    await scenario.given(scenario.datasource({ name: "wiki" }));
  });
  afterEach(() => scenario.close());

  /** What a reader that has never seen the file before answers to each of these. */
  const freshly = async (queries: readonly string[]): Promise<readonly SearchPage[]> => {
    const reader = await openSqliteSearchReader({ file, budget: ampleBudget });
    const request = { held: scenario.holding({ groups: ["pilots"] }), filters: noFilters, count: 100, startPage: 0 };
    const pages = await Promise.all(queries.map((query) => reader.search({ query, ...request })));
    await reader.close();
    return pages;
  };
  const idsOf = (page: SearchPage) => page.hits.map((hit) => hit.id).sort();

  it("never differs from the file, whatever came and went in between", async () => {
    const step = fc.record({
      ids: fc.array(fc.nat(12), { minLength: 1, maxLength: 12 }),
      isRemoval: fc.boolean(),
      text: fc.subarray(words, { minLength: 1 }),
      group: fc.constantFrom("pilots", "cooks"),
      looks: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        for (const { ids, isRemoval, text, group, looks } of steps) {
          const events = ids.map((id) =>
            isRemoval
              ? scenario.deleted(`d${id}`)
              : scenario.document({ id: `d${id}`, text: text.join(" "), access: { groups: [group] } }),
          );
          await scenario.given(...events);
          if (looks) await scenario.search(words.join(" "), { as: { groups: ["pilots"] } });
        }
        const queries = ["harbour", "lighthouse fog", '"harbour lighthouse"', "mountain -fog"];
        const fresh = await freshly(queries);
        for (const [index, query] of queries.entries()) {
          const remembered = await scenario.search(query, { as: { groups: ["pilots"] } });
          expect(idsOf(remembered), query).to.deep.equal(idsOf(fresh[index] as SearchPage));
          expect(remembered.total, query).to.equal(fresh[index]?.total);
        }
      }),
      propertyRuns(15),
    );
  });

  it("is read on behind a document without a word, once all others are gone and the writer has started again", async () => {
    const fewer = join(folder, "fewer.sqlite");
    const index = new SearchScenario(await openSearchIndex(fewer, () => undefined));
    const reader = await openSqliteSearchReader({ file: fewer, budget: ampleBudget });
    const found = async () => {
      const request = { held: index.holding({}), filters: noFilters, count: 100, startPage: 0 };
      return idsOf(await reader.search({ query: "harbour", ...request }));
    };
    const ids = Array.from({ length: 100 }, (_, id) => `d${id}`);
    await index.given(index.datasource({ name: "wiki" }));
    for (const id of ids) await index.given(index.document({ id, text: "harbour" }));
    await index.given(index.document({ id: "dots", title: "...", author: null, path: null, pathPreview: null }));
    expect(await found()).to.have.length(100);
    await index.given(...ids.map((id) => index.deleted(id)));
    await index.restart();
    await index.given(index.document({ id: "new", text: "harbour" }));
    expect(await found()).to.deep.equal(["wiki__new"]);
    await reader.close();
    await index.close();
  });

  it("is given up where most of it is gone", async () => {
    await scenario.given(
      ...Array.from({ length: 50 }, (_, id) => scenario.document({ id: `stays${id}`, text: "harbour stays" })),
    );
    const version = (n: number) =>
      Array.from({ length: 100 }, (_, id) => scenario.document({ id: `d${id}`, text: `harbour version${n}` }));
    for (let n = 0; n < 60; n++) {
      await scenario.given(...version(n));
      expect((await scenario.search("harbour", { count: 1 })).total).to.equal(150);
    }
    expect((await scenario.search("stays!")).total).to.equal(50);
    expect((await scenario.search("version59!")).total).to.equal(100);
    expect((await scenario.search('"harbour version58"')).total).to.equal(0);
  });

  it("is loaded anew by a reader that the list of removals does not reach back to", async () => {
    const documents = Array.from({ length: 30 }, (_, id) => scenario.document({ id: `d${id}`, text: "harbour" }));
    await scenario.given(...documents);
    expect((await scenario.search("harbour")).total).to.equal(30);
    await scenario.given(...Array.from({ length: 25 }, (_, id) => scenario.deleted(`d${id}`)));
    expect((await scenario.search("harbour")).total).to.equal(5);
    const database = new Database(file, { readonly: true });
    expect(database.prepare("SELECT count(*) FROM removals").pluck().get()).to.be.at.most(10);
    database.close();
  });

  it("forgets people, and asks for their tokens again", async () => {
    await scenario.given(scenario.document({ id: "a", text: "harbour", access: { groups: ["g7"] } }));
    for (const n of Array.from({ length: 1_100 }, (_, index) => index))
      await scenario.search("harbour", { as: { groups: [`g${n}`] } });
    expect(await scenario.found("harbour", { as: { groups: ["g7"] } })).to.deep.equal(["a"]);
    expect(await scenario.found("harbour", { as: { groups: ["g1099"] } })).to.deep.equal([]);
  });

  it("ranks the documents of a frequent word by where it stands in them", async () => {
    const documents = Array.from({ length: 12 }, (_, n) =>
      scenario.document({ id: `d${n}`, title: n === 1 ? "Harbour" : "Note", text: "harbour and more" }),
    );
    await scenario.given(...documents);
    const found = await scenario.found("harbour");
    expect(found).to.have.length(12);
    expect(found[0]).to.equal("d1");
  });
});
