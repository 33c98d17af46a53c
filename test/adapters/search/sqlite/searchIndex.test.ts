import { rmSync } from "node:fs";
import { join } from "node:path";
import { searchIndexContract } from "../../../contracts/searchIndexContract.js";
import { searchIndexSecrecyContract } from "../../../contracts/searchIndexSecrecyContract.js";
import { openSearchIndex } from "./openSearchIndex.js";
import { temporaryFolder } from "../../../support/temporaryFolder.js";

describe("the SQLite search index", () => {
  const open = () => {
    const folder = temporaryFolder("search-index").path;
    return openSearchIndex(join(folder, "search.sqlite"), () => rmSync(folder, { recursive: true }));
  };
  searchIndexContract(open);
  describe("secrecy", () => searchIndexSecrecyContract(open, 150));
});
