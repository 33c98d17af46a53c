import type { Counted } from "../../../../queries/ports.js";
import type { SqliteDatabase } from "../../sqlite/database.js";

/** By projection: what is counted, and in which table. What belongs to a deleted datasource goes with it. */
const tables: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  groupClosure: { datasources: "closure_datasources", groups: "closure_groups", people: "closure_people" },
  catalogue: { datasources: "catalogue" },
  credentials: { credentials: "credentials", accounts: "accounts" },
};

/** Counts rows. */
export const countsIn = (database: SqliteDatabase): Counted => ({
  counts: async (projection) => {
    const counted = Object.entries(tables[projection] ?? {}).map(
      ([what, table]) =>
        [what, database.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0] as const,
    );
    return Object.fromEntries(counted);
  },
});
