import { rmSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect } from "chai";
import { SearchScenario } from "../../../contracts/searchIndexScenario.js";
import { temporaryFolder } from "../../../support/temporaryFolder.js";
import { openSearchIndex } from "./openSearchIndex.js";

describe("the vocabulary of the SQLite search index", () => {
  let file: string;
  let scenario: SearchScenario;
  beforeEach(async () => {
    const folder = temporaryFolder("search-index").path;
    file = join(folder, "search.sqlite");
    scenario = new SearchScenario(await openSearchIndex(file, () => rmSync(folder, { recursive: true })));
    await scenario.given(scenario.datasource({ name: "wiki", searchable: ["colour"] }));
  });
  afterEach(() => scenario.close());

  /** Whose words are those of title and text alone. */
  const unnamed = { author: null, path: null, pathPreview: null };

  /** The words that the file holds, once nothing is left to be looked into. */
  async function words(): Promise<readonly string[]> {
    const database = new Database(file, { readonly: true });
    try {
      const left = database.prepare("SELECT 1 FROM doubted_words LIMIT 1");
      while (left.get() !== undefined) await new Promise((resolve) => setImmediate(resolve));
      const keys = database.prepare("SELECT count(*) FROM typo_keys WHERE word NOT IN (SELECT id FROM words)").pluck();
      expect(keys.get()).to.equal(0);
      return database.prepare<[], string>("SELECT word FROM words ORDER BY word").pluck().all();
    } finally {
      database.close();
    }
  }

  it("lets a word go with its last document, and takes it in again", async () => {
    const secret = scenario.document({ ...unnamed, id: "a", title: "Note", text: "merger astrolabe" });
    await scenario.given(secret, scenario.document({ ...unnamed, id: "b", title: "Note", text: "astrolabe" }));
    await scenario.given(scenario.deleted("a"));
    expect(await words()).to.deep.equal(["astrolabe", "note"]);
    await scenario.given(secret);
    expect(await words()).to.deep.equal(["astrolabe", "merger", "note"]);
    expect(await scenario.found("merg")).to.deep.equal(["a"]);
  });

  it("lets words of a replaced version go, those of its properties too", async () => {
    const customProperties = [{ name: "colour", value: "vermilion" }];
    await scenario.given(
      scenario.document({ ...unnamed, id: "a", title: "Old", text: "merger astrolabe", customProperties }),
    );
    await scenario.given(scenario.document({ ...unnamed, id: "a", title: "New", text: "astrolabe sextant" }));
    expect(await words()).to.deep.equal(["astrolabe", "new", "sextant"]);
  });

  it("lets words of a deleted datasource go", async () => {
    await scenario.given(scenario.document({ id: "a", title: "Note", text: "merger" }));
    await scenario.given(scenario.datasourceDeleted("wiki"));
    expect(await words()).to.deep.equal([]);
  });
});
