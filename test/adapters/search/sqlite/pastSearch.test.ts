import { join } from "node:path";
import { openSqlitePastSearchReader } from "../../../../src/adapters/search/sqlite/openSqlitePastSearchReader.js";
import { pastSearchContract, type PastSearchUnderTest } from "../../../contracts/pastSearchContract.js";
import { temporaryFolder } from "../../../support/temporaryFolder.js";
import { openSearchIndex } from "./openSearchIndex.js";

describe("the SQLite search index, asked about the past", () => {
  pastSearchContract(async (): Promise<PastSearchUnderTest> => {
    const folder = temporaryFolder("past-search");
    const file = join(folder.path, "search.sqlite");
    const under = await openSearchIndex(file, () => folder.remove());
    const past = openSqlitePastSearchReader({ file });
    const close = async (): Promise<void> => {
      await past.close();
      await under.close();
    };
    return { ...under, past, close };
  });
});
