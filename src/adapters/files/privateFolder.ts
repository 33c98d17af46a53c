import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

/** What others may do with what this process makes: nothing. */
const nothingForOthers = 0o077;

/**
 * From here on, whatever this process makes is for its own user alone: folders are 0700 and files 0600, those of SQLite
 * and of every thread too. Only the main thread can say so.
 */
export function keepFilesPrivate(): void {
  process.umask(process.umask() | nothingForOthers);
}

/**
 * Makes a folder that only its owner may enter, and those above it where they are missing. Does what `mkdirSync` with
 * `recursive` promises. That one never returns where the system refuses a folder with ENOENT, as in /proc.
 */
export function makePrivateFolder(folder: string): void {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) makePrivateFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}
