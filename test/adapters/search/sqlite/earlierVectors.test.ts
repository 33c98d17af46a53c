import { writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { removeDatabase } from "../../../../src/adapters/sqlite/versionFile.js";
import {
  searchIndexEarlierVectorsContract,
  type VersionsUnderTest,
} from "../../../contracts/searchIndexEarlierVectorsContract.js";
import { temporaryFolder } from "../../../support/temporaryFolder.js";
import { openSearchIndex } from "./openSearchIndex.js";

/** What may have become of the file of the earlier version. */
const damages: Readonly<Record<string, (file: string) => Promise<void> | void>> = {
  "is gone": (file) => removeDatabase(file),
  "is no database": async (file) => {
    await removeDatabase(file);
    writeFileSync(file, "no database ".repeat(1_000));
  },
  "is of another version of the program": (file) => {
    const database = new Database(file);
    database.pragma("user_version = 1");
    database.close();
  },
};

describe("vectors of an earlier version of the SQLite search index", () => {
  const open = async (): Promise<VersionsUnderTest> => {
    const { path, remove } = temporaryFolder("search-index");
    const earlierFile = join(path, "search.sqlite");
    return {
      openEarlier: (embedder) => openSearchIndex(earlierFile, () => undefined, { embedder }),
      open: (embedder) => openSearchIndex(join(path, "search-2.sqlite"), () => undefined, { embedder, earlierFile }),
      damageEarlier: async (damage) => damages[damage]?.(earlierFile),
      close: async () => remove(),
    };
  };
  searchIndexEarlierVectorsContract(open, Object.keys(damages));
});
