import { expect } from "chai";
import { Authors } from "../../../../src/adapters/search/sqlite/facetCounts.js";
import Database from "better-sqlite3";

const documents = 20_000;

describe("the authors of documents", () => {
  it("are read in steps while there is time, and further by the next question", () => {
    const database = new Database(":memory:");
    database.exec(`CREATE TABLE documents (row INTEGER PRIMARY KEY, author TEXT);
      WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${documents})
      INSERT INTO documents SELECT n, CASE WHEN n % 2 THEN 'Ada' WHEN n % 3 THEN NULL ELSE 'Grace' END FROM numbers`);
    const rows = Float64Array.from({ length: documents }, (_, slot) => slot + 1);
    const collection = { size: documents, numbering: 1, columns: { rows }, slotOf: (row: number) => row - 1 };
    const authors = new Authors(database, collection);
    const known = (): number => authors.numbers.filter((number) => number > 0).length;

    expect(authors.refresh({ isOver: true })).to.equal(false);
    const first = known();
    expect(first).to.be.greaterThan(0);
    expect(authors.refresh({ isOver: true })).to.equal(false);
    expect(known()).to.equal(first * 2);
    expect(authors.refresh({ isOver: false })).to.equal(true);
    expect(authors.names).to.deep.equal(["", "Ada", "Grace"]);
    expect([0, 1, 5].map((slot) => authors.names[authors.numbers[slot] as number])).to.deep.equal(["Ada", "", "Grace"]);

    database.exec("UPDATE documents SET author = 'Edsger'");
    expect(authors.refresh({ isOver: false })).to.equal(true);
    expect(authors.names).not.to.include("Edsger");
    collection.numbering = 2;
    expect(authors.refresh({ isOver: false })).to.equal(true);
    expect(authors.names).to.deep.equal(["", "Edsger"]);
    database.close();
  });
});
