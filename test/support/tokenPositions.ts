import { join } from "node:path";
import Database from "better-sqlite3";
import { ConsistencyTokens } from "../../src/shared/consistencyTokens.js";

/** The tokens of the log in a data folder, as only processes on that log can read them. */
export const tokensOf = ({ dataDir }: { readonly dataDir: string }): ConsistencyTokens =>
  new ConsistencyTokens(async () => {
    const log = new Database(join(dataDir, "log.sqlite"), { readonly: true });
    try {
      return log.prepare<[], string>("SELECT id FROM events ORDER BY position LIMIT 1").pluck().get() ?? null;
    } finally {
      log.close();
    }
  });
