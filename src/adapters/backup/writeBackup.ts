import { existsSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import Database from "better-sqlite3";
import { BackupRefused } from "../../shared/failures.js";
import { copyPrivately, writeDurably, makePrivateFolder } from "../files/privateFolder.js";
import { describeFile, logFile, manifestFile, manifestOf, signingKeyFile, type Manifest } from "./manifest.js";

export interface BackupRequest {
  /** A new folder, or an empty one. */
  readonly out: string;
  /** The embedded log; null: it lies in an event store. */
  readonly log: string | null;
  /** The key that signs exports, which need not be there. */
  readonly signingKey: string;
  readonly version: string;
  readonly namespace: string;
  readonly signal: AbortSignal;
  /** Called with how much of the log is copied, in pages. */
  onProgress(copied: number, total: number): void;
}

/** Pages of the log that are copied in one step: between two steps an interrupt is seen. */
const pagesPerStep = 2_000;

/**
 * Copies the log as of this moment, while others go on writing, and the signing key, with a manifest that says what
 * each has to be. What is copied is looked through. Where it fails or is interrupted, nothing stays behind. Throws
 * {@link BackupRefused} where there is nothing to copy or nowhere to put it.
 */
export async function writeBackup(request: BackupRequest): Promise<Manifest> {
  const out = resolve(request.out);
  if (existsSync(out) && readdirSync(out).length > 0)
    throw new BackupRefused(`${out} is not empty. Name a new folder for every backup.`);
  if (request.log !== null && !existsSync(request.log))
    throw new BackupRefused(`There is no log to back up: ${request.log} is not there.`);
  makePrivateFolder(out);
  const written: string[] = [];
  const place = (name: string): string => {
    written.push(join(out, name));
    return join(out, name);
  };
  try {
    const madeAt = new Date().toISOString();
    const log = request.log === null ? null : await copyLog(request, request.log, place(logFile));
    const signing_key = existsSync(request.signingKey)
      ? await copyKey(request.signingKey, place(signingKeyFile))
      : null;
    const { version, namespace } = request;
    const manifest = manifestOf({ made_at: madeAt, version, namespace, log, signing_key });
    await writeDurably(place(manifestFile), `${JSON.stringify(manifest, null, 2)}\n`);
    return manifest;
  } catch (error) {
    for (const path of written)
      for (const suffix of ["", "-wal", "-shm", "-journal"]) await rm(path + suffix, { force: true });
    throw error;
  }
}

/**
 * A transaction is open meanwhile: it holds the log as it was when it began, and the copy need not begin again with
 * every write.
 */
async function copyLog(
  { signal, onProgress }: BackupRequest,
  from: string,
  to: string,
): Promise<NonNullable<Manifest["log"]>> {
  const source = new Database(from, { readonly: true });
  try {
    source.exec("BEGIN");
    const last = source
      .prepare<[], { position: number; id: string }>("SELECT position, id FROM events ORDER BY position DESC LIMIT 1")
      .get();
    await source.backup(to, {
      progress: ({ totalPages, remainingPages }) => {
        signal.throwIfAborted();
        onProgress(totalPages - remainingPages, totalPages);
        return pagesPerStep;
      },
    });
    signal.throwIfAborted();
    closeCopy(to);
    return { ...(await describeFile(to)), position: last?.position ?? 0, last_event: last?.id ?? null };
  } finally {
    source.close();
  }
}

/** Makes it one file, which is whole without another beside it. */
function closeCopy(path: string): void {
  const copy = new Database(path);
  try {
    copy.pragma("journal_mode = DELETE");
    const found = copy.pragma("quick_check(1)", { simple: true });
    if (found !== "ok") throw new Error(`The log is damaged, and so would be the backup: ${String(found)}`);
  } finally {
    copy.close();
  }
}

async function copyKey(from: string, to: string): Promise<NonNullable<Manifest["signing_key"]>> {
  await copyPrivately(from, to);
  return describeFile(to);
}
