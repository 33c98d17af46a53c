import { existsSync } from "node:fs";
import Database from "better-sqlite3";
import type { RecordedDecision, RecordedDecisions } from "../../../queries/ports.js";
import { openForWriting, type Schema } from "./database.js";

const schema: Schema = {
  name: "decisions",
  version: 1,
  statements:
    "CREATE TABLE IF NOT EXISTS decisions (decision TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID; CREATE INDEX IF NOT EXISTS decisions_by_time ON decisions (at);",
};
const kept = 300;
const keptMs = 24 * 60 * 60_000;
/** Whoever asks does not wait for whoever writes. */
const busyTimeoutMs = 250;

/** A file that the processes of one machine share, opened for as long as it takes: every few seconds at most. */
export const openSqliteDecisions = ({ file }: { readonly file: string }): RecordedDecisions => ({
  record: async (decisions) => {
    const database = openForWriting({ file, schema, durability: "rebuildable" });
    try {
      const now = Date.now();
      const insert = database.prepare<[string, number]>("INSERT OR REPLACE INTO decisions VALUES (?, ?)");
      const forget = database.prepare<[number, number]>(
        "DELETE FROM decisions WHERE at < ? OR decision NOT IN (SELECT decision FROM decisions ORDER BY at DESC LIMIT ?)",
      );
      database
        .transaction(() => {
          for (const decision of decisions) insert.run(JSON.stringify(decision), now);
          forget.run(now - keptMs, kept);
        })
        .immediate();
    } finally {
      database.close();
    }
  },
  list: async () => {
    if (!existsSync(file)) return [];
    const database = new Database(file, { readonly: true, timeout: busyTimeoutMs });
    try {
      const rows = database
        .prepare<[number], string>("SELECT decision FROM decisions WHERE at >= ? ORDER BY at DESC")
        .pluck()
        .all(Date.now() - keptMs);
      return rows.map((json) => JSON.parse(json) as RecordedDecision);
    } finally {
      database.close();
    }
  },
  close: () => undefined,
});
