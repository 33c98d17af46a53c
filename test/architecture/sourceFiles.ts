import { readFileSync, readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

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

export interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly lines: number;
  readonly syntax: ts.SourceFile;
}

/** Every TypeScript file, parsed. */
export const sourceFiles: readonly SourceFile[] = repositoryFiles()
  .filter((path) => path.endsWith(".ts"))
  .map((path) => {
    const text = textOf(path);
    return {
      path,
      text,
      lines: text.trimEnd().split("\n").length,
      syntax: ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true),
    };
  });

/** `file:line` of a node. */
export function placeOf(file: SourceFile, node: ts.Node): string {
  return `${file.path}:${file.syntax.getLineAndCharacterOfPosition(node.getStart(file.syntax)).line + 1}`;
}

/** Visits every node below `node`. */
export function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  ts.forEachChild(node, (child) => {
    see(child);
    visit(child, see);
  });
}
