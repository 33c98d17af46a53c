import { readFileSync, readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** Where package.json lies. */
export const repositoryRoot = fileURLToPath(new URL("../../../", import.meta.url));

const generated = new Set(["node_modules", "dist", "data", "coverage", ".git"]);

/** Paths of every file of the repository, relative to its root, with forward slashes; nothing that was generated. */
export function repositoryFiles(folder = repositoryRoot): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !generated.has(entry.name) && !entry.name.endsWith(".log"))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? repositoryFiles(path) : [relative(repositoryRoot, path).split(sep).join("/")];
    });
}

/** The text of a file of the repository. */
export const textOf = (path: string): string => readFileSync(join(repositoryRoot, path), "utf8");
