import { rmSync } from "node:fs";
import { join } from "node:path";
import { searchIndexContract } from "../../../contracts/searchIndexContract.js";
import { openSearchIndex } from "./openSearchIndex.js";
import { temporaryFolder } from "../../../support/temporaryFolder.js";

describe("the SQLite search index", () => {
  searchIndexContract(() => {
    const folder = temporaryFolder("search-index").path;
    return openSearchIndex(join(folder, "search.sqlite"), () => rmSync(folder, { recursive: true }));
  });
});
