import { existsSync } from "node:fs";
import Database from "better-sqlite3";
import type { ProjectionTroubles } from "../../../projections/ports.js";
import { troubleKey, type ProjectionTrouble } from "../../readModels/projectionTrouble.js";
import { openForWriting, type Schema } from "./database.js";

const schema: Schema = { name: "troubles", version: 1, statements: "CREATE TABLE IF NOT EXISTS troubles (key TEXT PRIMARY KEY, trouble TEXT NOT NULL) WITHOUT ROWID;" };
/** Whoever asks does not wait for whoever writes. */
const busyTimeoutMs = 250;

/** A file that the processes of one machine share. Made with the first trouble, and opened for as long as it takes: that is seldom. */
export const openSqliteTroubles = ({ file }: { readonly file: string }): ProjectionTroubles => ({
  record: async (trouble) => {
    const database = openForWriting({ file, schema, durability: "rebuildable" });
    try {
      database.prepare("INSERT OR REPLACE INTO troubles VALUES (?, ?)").run(troubleKey(trouble), JSON.stringify(trouble));
    } finally {
      database.close();
    }
  },
  list: async () => {
    if (!existsSync(file)) return [];
    const database = new Database(file, { readonly: true, timeout: busyTimeoutMs });
    try {
      const rows = database.prepare<[], string>("SELECT trouble FROM troubles").pluck().all();
      return rows.map((json) => JSON.parse(json) as ProjectionTrouble);
    } finally {
      database.close();
    }
  },
  close: () => undefined,
});
