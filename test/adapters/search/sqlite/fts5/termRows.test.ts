import { join } from "node:path";
import Database from "better-sqlite3";
import { expect } from "chai";
import * as fc from "fast-check";
import { noRows, TermRows, type KnownRows } from "../../../../../src/adapters/search/sqlite/fts5/termRows.js";
import { temporaryFolder } from "../../../../support/temporaryFolder.js";
import { propertyRuns } from "../../../../support/propertyRuns.js";

const firstColumnWeight = 2;

/** A document's terms, each with how often it stands in title and body. */
interface Texts {
  readonly title: readonly string[];
  readonly body: readonly string[];
}

/** A table as the search index has it, with segments so small that a few documents fill several levels of them. */
function openTable() {
  const folder = temporaryFolder("fts5");
  const open = () => {
    const opened = new Database(join(folder.path, "terms.sqlite"));
    opened.pragma("synchronous = OFF");
    return opened;
  };
  let database = open();
  database.exec(`
    CREATE VIRTUAL TABLE terms USING fts5 (title, body, content = '', contentless_delete = 1, tokenize = 'ascii');
    INSERT INTO terms (terms, rank) VALUES ('automerge', 4);
    INSERT INTO terms (terms, rank) VALUES ('crisismerge', 8);
    INSERT INTO terms (terms, rank) VALUES ('pgsz', 64);`);
  let rows = new TermRows(database, firstColumnWeight);
  return {
    get rows() {
      return rows;
    },
    /** Adds rows in one commit, and so at least one segment. */
    add(documents: ReadonlyMap<number, Texts>): void {
      const insert = database.prepare("INSERT INTO terms (rowid, title, body) VALUES (?, ?, ?)");
      database.transaction(() => {
        for (const [row, { title, body }] of documents) insert.run(row, title.join(" "), body.join(" "));
      })();
    },
    remove(gone: readonly number[]): void {
      const remove = database.prepare("DELETE FROM terms WHERE rowid = ?");
      database.transaction(() => gone.forEach((row) => remove.run(row)))();
    },
    /** Goes on with merging, by so many pages. */
    merge: (pages: number) =>
      database.prepare("INSERT INTO terms (terms, rank) VALUES ('merge', CAST(? AS INTEGER))").run(pages),
    optimize: () => database.exec("INSERT INTO terms (terms) VALUES ('optimize')"),
    matching: (term: string) =>
      database.prepare<[string], number>("SELECT rowid FROM terms WHERE terms MATCH ?").pluck().all(`"${term}"`),
    /** As a process that starts again. */
    reopen(): void {
      database.close();
      database = open();
      rows = new TermRows(database, firstColumnWeight);
    },
    close(): void {
      database.close();
      folder.remove();
    },
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
    merged: fc.nat(4),
  });

  it("are those that FTS5 finds, with every occurrence", () => {
    fc.assert(
      fc.property(fc.array(commit, { minLength: 1, maxLength: 12 }), fc.boolean(), (commits, isOptimized) => {
        const table = openTable();
        const held = new Map<number, Texts>();
        const removed = new Set<number>();
        let row = 0;
        for (const { documents, removed: place, merged } of commits) {
          const added = new Map(documents.map(({ gap, texts: one }) => [(row += gap), one]));
          table.add(added);
          for (const [each, one] of added) held.set(each, one);
          if (merged > 0) table.merge(merged);
          const gone = place === null ? undefined : [...held.keys()][place];
          if (gone === undefined || removed.has(gone)) continue;
          removed.add(gone);
          table.remove([gone]);
        }
        if (isOptimized) table.optimize();
        table.rows.refresh();
        const after = { upToRow: [...held.keys()][Math.floor(held.size / 2)] ?? 0, upToCommit: 0 };
        for (const term of [...vocabulary, "w0", "w7", "w150", "w299", "none", "", "zz"]) {
          const expected = [...held]
            .map(([each, one]) => [each, countOf(term, one)] as const)
            .filter(([, count]) => count > 0);
          const found = rowsOf(table.rows, term, noRows);
          const alive = (pairs: readonly (readonly [number, number])[]) => pairs.filter(([each]) => !removed.has(each));
          expect(alive(found), term).to.deep.equal(alive(expected));
          if (term !== "") expect(alive(found).map(([each]) => each)).to.deep.equal(table.matching(term));
          expect(rowsOf(table.rows, term, after)).to.deep.equal(found.filter(([each]) => each > after.upToRow));
        }
        table.close();
      }),
      propertyRuns(40),
    );
  });

  it("are the same, read in parts, whatever was removed and merged in between", () => {
    const step = fc.record({
      count: fc.integer({ min: 1, max: 3 }),
      removes: fc.constantFrom("nothing", "newest", "all"),
      reopens: fc.boolean(),
      looks: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 60, size: "max" }), (steps) => {
        const table = openTable();
        let held: number[] = [];
        let row = 0;
        let known = noRows;
        const found = new Map<number, number>();
        const look = (): void => {
          table.rows.refresh();
          const isSure = held.includes(known.upToRow);
          const since = { upToRow: known.upToRow, upToCommit: isSure ? known.upToCommit : 0 };
          for (const [each, times] of rowsOf(table.rows, "a", since)) found.set(each, times);
          known = { upToRow: row, upToCommit: table.rows.lastCommit };
        };
        for (const { count, removes, reopens, looks } of steps) {
          const added = Array.from({ length: count }, () => (row += 1));
          table.add(new Map(added.map((each) => [each, { title: ["b"], body: ["a"] }])));
          held.push(...added);
          const gone = removes === "all" ? held : removes === "newest" ? held.slice(-1) : [];
          table.remove(gone);
          held = held.filter((each) => !gone.includes(each));
          if (reopens) table.reopen();
          if (looks) look();
        }
        look();
        expect(held.map((each) => found.get(each))).to.deep.equal(held.map(() => 1));
        table.close();
      }),
      propertyRuns(60),
    );
  });

  it("stand once where a merge has come to the end of a segment, and not of the others", () => {
    const table = openTable();
    const many = Array.from({ length: 100 }, (_, n) => `w${n}`);
    for (const [row, body] of [["a"], ["a", ...many], ["a"], ["a", ...many]].entries())
      table.add(new Map([[row + 1, { title: [], body }]]));
    table.merge(1);
    table.rows.refresh();
    expect(rowsOf(table.rows, "a", noRows)).to.deep.equal([1, 2, 3, 4].map((row) => [row, 1]));
    table.close();
  });

  it("are none in an empty table", () => {
    const table = openTable();
    expect(rowsOf(table.rows, "a", noRows)).to.deep.equal([]);
    table.close();
  });

  it("are read anew behind a commit", () => {
    const table = openTable();
    table.add(new Map([[1, { title: ["a"], body: [] }]]));
    expect(rowsOf(table.rows, "a", noRows)).to.deep.equal([[1, 2]]);
    table.add(new Map([[5, { title: [], body: ["a", "a", "a"] }]]));
    table.rows.refresh();
    expect(rowsOf(table.rows, "a", { upToRow: 1, upToCommit: table.rows.lastCommit - 1 })).to.deep.equal([[5, 3]]);
    table.close();
  });
});

function rowsOf(rows: TermRows, term: string, known: KnownRows): readonly (readonly [number, number])[] {
  const found: (readonly [number, number])[] = [];
  rows.forEach(term, known, (row, frequency) => void found.push([row, frequency]));
  return found;
}
