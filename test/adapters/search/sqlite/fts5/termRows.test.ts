import Database from "better-sqlite3";
import { expect } from "chai";
import * as fc from "fast-check";
import { TermRows } from "../../../../../src/adapters/search/sqlite/fts5/termRows.js";
import { propertyRuns } from "../../../../support/propertyRuns.js";

const firstColumnWeight = 2;

/** A document's terms, each with how often it stands in title and body. */
interface Texts {
  readonly title: readonly string[];
  readonly body: readonly string[];
}

/** A table as the search index has it, with segments so small that a few documents fill several levels of them. */
function openTable() {
  const database = new Database(":memory:");
  database.exec(`
    CREATE VIRTUAL TABLE terms USING fts5 (title, body, content = '', contentless_delete = 1, tokenize = 'ascii');
    INSERT INTO terms (terms, rank) VALUES ('automerge', 4);
    INSERT INTO terms (terms, rank) VALUES ('crisismerge', 8);
    INSERT INTO terms (terms, rank) VALUES ('pgsz', 64);`);
  const insert = database.prepare("INSERT INTO terms (rowid, title, body) VALUES (?, ?, ?)");
  const remove = database.prepare("DELETE FROM terms WHERE rowid = ?");
  const matching = database.prepare<[string], number>("SELECT rowid FROM terms WHERE terms MATCH ?").pluck();
  return {
    rows: new TermRows(database, firstColumnWeight),
    /** Adds rows in one commit, and so at least one segment. */
    add: (documents: ReadonlyMap<number, Texts>) =>
      database.transaction(() => {
        for (const [row, { title, body }] of documents) insert.run(row, title.join(" "), body.join(" "));
      })(),
    remove: (row: number) => void remove.run(row),
    optimize: () => database.exec("INSERT INTO terms (terms) VALUES ('optimize')"),
    matching: (term: string) => matching.all(`"${term}"`),
    close: () => database.close(),
  };
}

const countOf = (term: string, { title, body }: Texts): number =>
  title.filter((each) => each === term).length * firstColumnWeight + body.filter((each) => each === term).length;

describe("the rows of a term, from FTS5's pages", () => {
  const vocabulary = [
    "a",
    "ab",
    "abc",
    "abd",
    "b",
    "dhaus",
    "dhausboot",
    "ehous",
    "x\u00b7",
    "x4\u00b712",
    "xé",
    "z".repeat(60),
  ];
  const word = fc.oneof(
    fc.constantFrom(...vocabulary),
    fc.integer({ min: 0, max: 300 }).map((n) => `w${n}`),
  );
  const texts = fc.record({
    title: fc.array(word, { maxLength: 5 }),
    body: fc.oneof(
      fc.array(word, { maxLength: 40 }),
      // Long enough for positions that go on on further pages.
      fc.array(fc.constantFrom("a", "ab", "xé"), { minLength: 100, maxLength: 150 }),
    ),
  });
  const commit = fc.record({
    documents: fc.array(
      fc.record({
        gap: fc.oneof(
          fc.constant(1),
          fc.nat(200_000).map((n) => n + 1),
        ),
        texts,
      }),
      {
        minLength: 1,
        maxLength: 6,
      },
    ),
    removed: fc.option(fc.nat(40)),
  });

  it("are those that FTS5 finds, with every occurrence", () => {
    fc.assert(
      fc.property(fc.array(commit, { minLength: 1, maxLength: 12 }), fc.boolean(), (commits, isOptimized) => {
        const table = openTable();
        const held = new Map<number, Texts>();
        const removed = new Set<number>();
        let row = 0;
        for (const { documents, removed: place } of commits) {
          const added = new Map(documents.map(({ gap, texts: one }) => [(row += gap), one]));
          table.add(added);
          for (const [each, one] of added) held.set(each, one);
          const gone = place === null ? undefined : [...held.keys()][place];
          if (gone === undefined || removed.has(gone)) continue;
          removed.add(gone);
          table.remove(gone);
        }
        if (isOptimized) table.optimize();
        table.rows.refresh();
        const after = [...held.keys()][Math.floor(held.size / 2)] ?? 0;
        for (const term of [...vocabulary, "w0", "w7", "w150", "w299", "none", "", "zz"]) {
          const expected = [...held]
            .map(([each, one]) => [each, countOf(term, one)] as const)
            .filter(([, count]) => count > 0);
          const found = rowsOf(table.rows, term, 0);
          const alive = (pairs: readonly (readonly [number, number])[]) => pairs.filter(([each]) => !removed.has(each));
          expect(alive(found), term).to.deep.equal(alive(expected));
          if (term !== "") expect(alive(found).map(([each]) => each)).to.deep.equal(table.matching(term));
          expect(rowsOf(table.rows, term, after)).to.deep.equal(found.filter(([each]) => each > after));
        }
        table.close();
      }),
      propertyRuns(40),
    );
  });

  it("are none in an empty table", () => {
    const table = openTable();
    expect(rowsOf(table.rows, "a", 0)).to.deep.equal([]);
    table.close();
  });

  it("are read anew behind a commit", () => {
    const table = openTable();
    table.add(new Map([[1, { title: ["a"], body: [] }]]));
    expect(rowsOf(table.rows, "a", 0)).to.deep.equal([[1, 2]]);
    table.add(new Map([[5, { title: [], body: ["a", "a", "a"] }]]));
    table.rows.refresh();
    expect(rowsOf(table.rows, "a", 1)).to.deep.equal([[5, 3]]);
    table.close();
  });
});

function rowsOf(rows: TermRows, term: string, afterRow: number): readonly (readonly [number, number])[] {
  const found: (readonly [number, number])[] = [];
  rows.forEach(term, afterRow, (row, frequency) => void found.push([row, frequency]));
  return found;
}
