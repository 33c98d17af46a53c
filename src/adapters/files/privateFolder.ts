import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { chmod, copyFile, open } from "node:fs/promises";

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

/** Copies a file for its owner alone: the copy would have the mode of what it is made of. */
export async function copyPrivately(from: string, to: string): Promise<void> {
  await copyFile(from, to);
  await chmod(to, 0o600);
}

/** Resolves once a file, or the names in a folder, are on disk. */
export async function sync(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Writes a new file for its owner alone, and resolves once it is on disk. Rejects where there is one already. */
export async function writeDurably(file: string, contents: string | Buffer): Promise<void> {
  const handle = await open(file, "wx", 0o600);
  try {
    await handle.writeFile(contents);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
