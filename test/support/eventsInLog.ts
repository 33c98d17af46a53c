import Database from "better-sqlite3";

/** How many events a file of the embedded log holds, whoever uses it. */
export function eventsInLog(log: string): number {
  const database = new Database(log, { readonly: true });
  try {
    return database.prepare<[], number>("SELECT count(*) FROM events").pluck().get() ?? 0;
  } finally {
    database.close();
  }
}
