import { existsSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { isDamage } from "../../shared/failures.js";
import { identityOf } from "./fileIdentity.js";

const ending = ".set-aside";
const patienceMs = 10_000;

/**
 * Takes a file of read models out of use: it is renamed, with what SQLite keeps beside it, and an earlier file of that
 * name is deleted. A process that has it open sees by the identity that another file is to be opened; SQLite sees to it
 * that closing the old one does not touch the new one. `seen` is the identity of the file that is meant: where another
 * process has set it aside already, nothing happens. Answers with where it is kept; null where nothing happened.
 */
export function setAside(file: string, seen: string): string | null {
  const leases = join(dirname(file), "leases.sqlite");
  const lock = remadeWhereDamaged(leases, () => lockedBy(leases));
  try {
    return seen === "" || identityOf(file) !== seen ? null : keep(file);
  } finally {
    lock.close();
  }
}

/** A transaction is a lock among the processes of the folder. */
function lockedBy(file: string): Database.Database {
  const lock = new Database(file, { timeout: patienceMs });
  try {
    lock.exec("BEGIN IMMEDIATE");
    return lock;
  } catch (error) {
    lock.close();
    throw error;
  }
}

/** Called where a file is kept that was damaged, and was made anew. */
export type OnSetAside = (kept: string) => void;

/**
 * Works with a file that holds nothing that lasts. Where it turns out to be damaged, it is renamed, and the work is
 * begun again, to make the file anew. Two processes that find it so at once may rename the new one as well: what it
 * holds by then is lost, as with the damage.
 */
export function remadeWhereDamaged<Value>(
  file: string,
  work: () => Value,
  onSetAside: OnSetAside = () => undefined,
): Value {
  const seen = identityOf(file);
  try {
    return work();
  } catch (error) {
    if (!isDamage(error)) throw error;
    if (identityOf(file) === seen) onSetAside(keep(file));
    return work();
  }
}

function keep(file: string): string {
  const kept = `${file}${ending}`;
  for (const suffix of ["-wal", "-shm", ""]) rename(`${file}${suffix}`, `${kept}${suffix}`);
  return kept;
}

function rename(from: string, to: string): void {
  rmSync(to, { force: true });
  if (existsSync(from)) renameSync(from, to);
}
