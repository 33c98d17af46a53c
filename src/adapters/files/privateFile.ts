import { chmod, copyFile, open } from "node:fs/promises";

/** Copies a file for its owner alone: the copy would have the mode of what it is made of. */
export async function copyPrivately(from: string, to: string): Promise<void> {
  await copyFile(from, to);
  await chmod(to, 0o600);
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
