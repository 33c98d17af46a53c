import { join } from "node:path";
import { expect } from "chai";
import { searchSchema } from "../../../../src/adapters/search/sqlite/schema.js";
import { VocabularyRows } from "../../../../src/adapters/search/sqlite/vocabularyRows.js";
import { surfaceOf, wordOf } from "../../../../src/analysis/words.js";
import { openForWriting } from "../../../../src/adapters/sqlite/database.js";
import { temporaryFolder } from "../../../support/temporaryFolder.js";

describe("the rows of the vocabulary", () => {
  it("number a word anew that was taken out while a document with it was on its way", () => {
    const file = join(temporaryFolder("vocabulary").path, "search.sqlite");
    const database = openForWriting({ file, schema: searchSchema, durability: "rebuildable" });
    const vocabulary = new VocabularyRows(database);
    const word = surfaceOf("astrolabe")?.word ?? wordOf("astrolabe");
    vocabulary.add([word]);
    // So many other words that the analysis no longer remembers this one.
    for (let other = 0; other < 140_000; other++) surfaceOf(`w${other}`);
    vocabulary.remove("astrolabe");
    vocabulary.add([wordOf("sextant"), word]);
    expect(database.prepare("SELECT word FROM words WHERE id = ?").pluck().get(word.storedAs)).to.equal("astrolabe");
    database.close();
  });
});
