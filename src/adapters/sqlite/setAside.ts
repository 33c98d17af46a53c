import { existsSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { identityOf } from "./fileIdentity.js";

const ending = ".set-aside";
const patienceMs = 10_000;

/**
 * Takes a file of read models out of use: it is renamed, with what SQLite keeps beside it, and an earlier one of that
 * name goes. Whoever has it open finds by its identity that another one is to be opened; SQLite sees to it that closing
 * the old one does not touch the new one. `seen` is the identity of the file that is meant: where another process has
 * set it aside already, nothing happens. Answers with where it is kept; null where nothing happened.
 */
export function setAside(file: string, seen: string): string | null {
  // Its transaction is a lock among the processes of the folder.
  const lock = new Database(join(dirname(file), "leases.sqlite"), { timeout: patienceMs });
  try {
    lock.exec("BEGIN IMMEDIATE");
    if (seen === "" || identityOf(file) !== seen) return null;
    const kept = `${file}${ending}`;
    for (const suffix of ["-wal", "-shm", ""]) rename(`${file}${suffix}`, `${kept}${suffix}`);
    return kept;
  } finally {
    lock.close();
  }
}

function rename(from: string, to: string): void {
  rmSync(to, { force: true });
  if (existsSync(from)) renameSync(from, to);
}
