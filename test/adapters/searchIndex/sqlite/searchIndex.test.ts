import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { searchIndexContract } from "../../../contracts/searchIndexContract.js";
import { openSearchIndex } from "./openSearchIndex.js";

describe("the SQLite search index", () => {
  searchIndexContract(() => {
    const folder = mkdtempSync(join(tmpdir(), "search-index-"));
    return openSearchIndex(join(folder, "search.sqlite"), () => rmSync(folder, { recursive: true }));
  });
});
