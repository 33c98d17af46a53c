import { accessSync, constants, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Linux keeps what lies here in memory. Containers often give it no more than 64 MB. */
const memory = "/dev/shm";
const enoughBytes = 2 * 1024 ** 3;
const parent = hasRoom() ? memory : tmpdir();

/**
 * A folder of its own for one test, with a way to remove it. It lies in memory where there is room, so that no test
 * waits for a disk. The death of a process loses nothing of it; how commits outlive the death of a machine is for no
 * test to see.
 */
export function temporaryFolder(name: string): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(parent, `${name}-`));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

function hasRoom(): boolean {
  try {
    accessSync(memory, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= enoughBytes;
  } catch {
    return false;
  }
}
