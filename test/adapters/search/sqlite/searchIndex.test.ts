import { rmSync } from "node:fs";
import { join } from "node:path";
import { searchIndexContract } from "../../../contracts/searchIndexContract.js";
import { searchIndexSecrecyContract } from "../../../contracts/searchIndexSecrecyContract.js";
import { searchIndexMeaningContract } from "../../../contracts/searchIndexMeaningContract.js";
import { searchIndexMeaningSecrecyContract } from "../../../contracts/searchIndexMeaningSecrecyContract.js";
import { openSearchIndex, type OpeningOptions } from "./openSearchIndex.js";
import { temporaryFolder } from "../../../support/temporaryFolder.js";

describe("the SQLite search index", () => {
  const open = (options: OpeningOptions = {}) => {
    const folder = temporaryFolder("search-index").path;
    return openSearchIndex(join(folder, "search.sqlite"), () => rmSync(folder, { recursive: true }), options);
  };
  searchIndexContract(() => open());
  describe("meaning", () => searchIndexMeaningContract((embedder) => open({ embedder })));
  describe("secrecy", () => searchIndexSecrecyContract(() => open(), 60));
  describe("secrecy of meaning", () => searchIndexMeaningSecrecyContract((embedder) => open({ embedder }), 20));
});
