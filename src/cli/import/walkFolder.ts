import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** A regular file, or something that is not imported and why. `path` is relative to the folder, with `/`. */
export type FolderEntry =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "skipped"; readonly path: string; readonly reason: string }
  | { readonly kind: "failed"; readonly path: string; readonly reason: string };

export interface WalkOptions {
  /** Whether names that start with a dot are walked too. */
  readonly hidden: boolean;
}

const neverWalked: ReadonlySet<string> = new Set(["node_modules", ".git"]);

/**
 * Everything below a folder, in the order of names. Left out without a word: `node_modules`, `.git` and, unless asked
 * for, hidden names. Symbolic links are reported and not followed: they can loop, and they can lead to files outside
 * the folder that nobody meant to publish.
 */
export async function* walkFolder(root: string, options: WalkOptions, below = ""): AsyncGenerator<FolderEntry> {
  let names;
  try {
    names = await readdir(join(root, below), { withFileTypes: true });
  } catch (error) {
    yield { kind: "failed", path: below, reason: `The folder could not be read: ${(error as Error).message}` };
    return;
  }
  for (const entry of names.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (neverWalked.has(entry.name) || (!options.hidden && entry.name.startsWith("."))) continue;
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) yield* walkFolder(root, options, path);
    else if (entry.isFile()) yield { kind: "file", path };
    else if (entry.isSymbolicLink()) yield { kind: "skipped", path, reason: "Symbolic links are not followed." };
    else yield { kind: "skipped", path, reason: "It is not a regular file." };
  }
}
