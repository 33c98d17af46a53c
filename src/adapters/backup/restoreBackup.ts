import { existsSync, readdirSync } from "node:fs";
import { copyFile, link, rename, rm } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import Database from "better-sqlite3";
import { BackupRefused, isDamage } from "../../shared/failures.js";
import { openDataFolder, removeRestoreIntent, writeRestoreIntent } from "../files/dataFolder.js";
import { copyPrivately, sync, makePrivateFolder } from "../files/privateFolder.js";
import { logFile, readVerifiedBackup, signingKeyFile, type Manifest } from "./manifest.js";

interface RestoreRequest {
  /** The folder of a backup. */
  readonly from: string;
  readonly dataDir: string;
  /** Whether the log lies in the data folder. */
  readonly holdsLog: boolean;
  /** Where the key that signs exports belongs. */
  readonly signingKey: string;
  /** Empties other engines of what would be ahead of the log; returns which. */
  emptyEngines(): Promise<readonly string[]>;
}

export interface Restored {
  readonly manifest: Manifest;
  /** Where the log and the key are that were there before; null: there were none. */
  readonly replaced: string | null;
  /** Files of read models, and engines, that were emptied, to be rebuilt from the log. */
  readonly removed: readonly string[];
}

/**
 * Puts the log and the signing key of a backup into the data folder, and takes the read models away, which would be
 * ahead of that log. What was there before is moved aside. Throws {@link BackupRefused}, with nothing changed, where
 * the backup is not as it was written, or where somebody uses the folder. Where it is killed on its way, no service
 * begins on the folder until it is restored again.
 */
export async function restoreBackup(request: RestoreRequest): Promise<Restored> {
  const from = resolve(request.from);
  const manifest = await readVerifiedBackup(from);
  refuseOtherEngine(manifest, request.holdsLog);
  const folder = resolve(request.dataDir);
  openDataFolder({ dataDir: folder, folder: "restore", holdsLog: request.holdsLog });
  const draft = join(folder, `${logFile}.restoring`);
  try {
    if (manifest.log !== null) await checkedCopy(join(from, logFile), draft);
    refuseInUse(folder);
    const aside = join(folder, `before-restore-${new Date().toISOString().replace(/[:.]/g, "-")}`);
    await writeRestoreIntent(folder, { from, aside });
    const replaced = await moveAside(folder, request, manifest, aside);
    const removed = await removeReadModels(folder);
    if (manifest.log !== null) await putInPlace(draft, join(folder, logFile));
    if (manifest.signing_key !== null) await copyPrivately(join(from, signingKeyFile), request.signingKey);
    const emptied = await request.emptyEngines();
    await removeRestoreIntent(folder);
    return { manifest, replaced: replaced ? aside : null, removed: [...removed, ...emptied] };
  } finally {
    await rm(draft, { force: true });
  }
}

function refuseOtherEngine(manifest: Manifest, holdsLog: boolean): void {
  if (holdsLog === (manifest.log !== null)) return;
  throw new BackupRefused(
    holdsLog
      ? "The backup holds no log: it was made where EVENTSTORE_URL is set. Set it, and restore the event store's own backup first."
      : "The backup holds a log in SQLite, but EVENTSTORE_URL names an event store. Unset it to restore into DATA_DIR.",
  );
}

async function checkedCopy(from: string, to: string): Promise<void> {
  await copyPrivately(from, to);
  await sync(to);
  const copy = new Database(to);
  try {
    const found = copy.pragma("integrity_check(1)", { simple: true });
    if (found !== "ok") throw new BackupRefused(`The log of the backup is damaged: ${String(found)}`);
  } finally {
    copy.close();
  }
}

const databases = (folder: string): readonly string[] => readdirSync(folder).filter((name) => name.endsWith(".sqlite"));

/** SQLite lets nobody change how a file is journalled while another has it open. */
function refuseInUse(folder: string): void {
  for (const name of databases(folder)) {
    try {
      const database = new Database(join(folder, name), { timeout: 0 });
      try {
        database.pragma("journal_mode = DELETE");
      } finally {
        database.close();
      }
    } catch (error) {
      const code = error instanceof Database.SqliteError ? error.code : "";
      if (code.startsWith("SQLITE_BUSY"))
        throw new BackupRefused(`${join(folder, name)} is in use. Stop every service and command on ${folder} first.`);
      // What is damaged cannot be asked, and is what a backup is restored for.
      if (!isDamage(error)) throw error;
    }
  }
}

/** The log with all that belongs to it, and another key. True where there was any. */
async function moveAside(
  folder: string,
  { signingKey }: RestoreRequest,
  manifest: Manifest,
  aside: string,
): Promise<boolean> {
  const logs = manifest.log === null ? [] : [logFile, `${logFile}-wal`, `${logFile}-shm`, `${logFile}-journal`];
  const keys = manifest.signing_key === null ? [] : [signingKey];
  const found = [...logs.map((name) => join(folder, name)), ...keys].filter((path) => existsSync(path));
  if (found.length === 0) return false;
  makePrivateFolder(aside);
  for (const path of found) {
    if (path === signingKey) await copyFile(path, join(aside, basename(path)));
    else await rename(path, join(aside, basename(path)));
  }
  return true;
}

async function removeReadModels(folder: string): Promise<readonly string[]> {
  const removed = readdirSync(folder).filter((name) => name.includes(".sqlite") && !name.startsWith(logFile));
  for (const name of removed) await rm(join(folder, name), { force: true });
  return removed.filter((name) => name.endsWith(".sqlite")).sort();
}

/** Never over a log that a service has begun meanwhile. */
async function putInPlace(draft: string, log: string): Promise<void> {
  await link(draft, log).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
    throw new BackupRefused(`Somebody has begun a new log meanwhile: ${log}. Stop the service, and restore again.`);
  });
}
