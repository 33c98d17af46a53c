import { rmSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect } from "chai";
import * as fc from "fast-check";
import { Collection } from "../../../../src/adapters/search/sqlite/collection.js";
import type { Postings } from "../../../../src/adapters/search/sqlite/growingPostings.js";
import { PostingsCache } from "../../../../src/adapters/search/sqlite/postings.js";
import { searchSchema } from "../../../../src/adapters/search/sqlite/schema.js";
import { SearchBudget, usualBudget } from "../../../../src/adapters/search/sqlite/searchBudget.js";
import { openForReading } from "../../../../src/adapters/sqlite/database.js";
import { termsOf } from "../../../../src/analysis/words.js";
import { SearchScenario } from "../../../contracts/searchIndexScenario.js";
import { propertyRuns } from "../../../support/propertyRuns.js";
import { temporaryFolder } from "../../../support/temporaryFolder.js";
import { openSearchIndex } from "./openSearchIndex.js";

const words = ["harbour", "lighthouse", "fog"];
const terms = words.flatMap((word) => termsOf(word));
const endlessly = Number.MAX_SAFE_INTEGER;

/** Rows of documents that are there, and how often each holds the term. */
type Rows = readonly (readonly [row: number, frequency: number])[];

interface Looked {
  readonly rows: Rows;
  readonly isWhole: boolean;
  readonly isPartial: boolean;
}

/** Reads postings as searches do, each of which may look at the clock so many times. */
function openPostings(file: string) {
  const database = openForReading({ file, schema: searchSchema, durability: "rebuildable" });
  const collection = new Collection(database);
  const postings = new PostingsCache(database, collection, { cacheBytes: 1_000_000 });
  const rowsOf = ({ slots, frequencies, size }: Postings): Rows => {
    const { rows, alive } = collection.columns;
    return Array.from(slots.subarray(0, size), (slot, at) => [slot, frequencies[at] as number] as const)
      .filter(([slot]) => alive[slot] === 1)
      .map(([slot, frequency]) => [rows[slot] as number, frequency]);
  };
  return {
    look: database.transaction((term: string, looks: number): Looked => {
      let now = 0;
      const budget = new SearchBudget({ ...usualBudget, budgetMs: looks, now: () => now++ }, 0);
      collection.refresh();
      postings.refresh(budget);
      const whole = postings.wholeOf(term);
      const { isPartial } = budget;
      return { rows: rowsOf(whole ?? postings.ofTerm(term)), isWhole: whole !== null, isPartial };
    }),
    close: () => database.close(),
  };
}

describe("postings, read until the time is over", () => {
  let file: string;
  let scenario: SearchScenario;
  let fullText: Database.Database;
  beforeEach(async () => {
    const folder = temporaryFolder("search-index").path;
    file = join(folder, "search.sqlite");
    const index = await openSearchIndex(file, () => rmSync(folder, { recursive: true }), { listedRemovals: 50 });
    scenario = new SearchScenario(index);
    fullText = new Database(file);
    // A few rows fill a page.
    fullText.exec("INSERT INTO terms (terms, rank) VALUES ('pgsz', 64)");
    await scenario.given(scenario.datasource({ name: "wiki" }));
  });
  afterEach(async () => {
    fullText.close();
    await scenario.close();
  });

  const documents = (ids: readonly number[], text: string) =>
    ids.map((id) => scenario.document({ id: `d${id}`, title: "Note", text }));

  /** What a reader finds that has never seen the file before. */
  const freshly = (term: string): Rows => {
    const reader = openPostings(file);
    const { rows } = reader.look(term, endlessly);
    reader.close();
    return rows;
  };

  it("are those of a new reader once they are whole, whatever came, went and was merged in between", async () => {
    const step = fc.record({
      ids: fc.array(fc.nat(60), { minLength: 1, maxLength: 40, size: "max" }),
      isRemoval: fc.boolean(),
      text: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 }),
      merge: fc.constantFrom(null, null, "INSERT INTO terms (terms, rank) VALUES ('merge', 4)", "optimize"),
      looks: fc.array(fc.nat(15), { maxLength: 3 }),
    });
    const reader = openPostings(file);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        for (const { ids, isRemoval, text, merge, looks } of steps) {
          const events = isRemoval ? ids.map((id) => scenario.deleted(`d${id}`)) : documents(ids, text.join(" "));
          await scenario.given(...events);
          if (merge !== null)
            fullText.exec(merge === "optimize" ? "INSERT INTO terms (terms) VALUES ('optimize')" : merge);
          for (const term of looks.length === 0 ? [] : terms) {
            const fresh = freshly(term);
            for (const most of looks) {
              const { rows, isWhole, isPartial } = reader.look(term, most);
              expect(isWhole || isPartial, term).to.equal(true);
              expect(rows, term).to.deep.equal(isWhole ? fresh : fresh.slice(0, rows.length));
            }
          }
        }
        for (const term of terms) {
          const { rows, isPartial } = reader.look(term, endlessly);
          expect(isPartial).to.equal(false);
          expect(rows, term).to.deep.equal(freshly(term));
        }
      }),
      propertyRuns(15),
    );
    reader.close();
  });

  it("are read on by the next search", async () => {
    await scenario.given(...documents([...Array(200).keys()], "harbour"));
    const reader = openPostings(file);
    const term = terms.find((each) => freshly(each).length === 200) as string;
    const looked = [5, 10, endlessly].map((looks) => reader.look(term, looks));
    expect(looked.map(({ isWhole, isPartial }) => [isWhole, isPartial])).to.deep.equal([
      [false, true],
      [false, true],
      [true, false],
    ]);
    const counts = looked.map(({ rows }) => rows.length);
    expect(counts[0]).to.be.above(0);
    expect(counts[1]).to.be.above(counts[0] as number);
    expect(counts[2]).to.equal(200);
    reader.close();
  });
});
