import ts from "typescript";
import { repositoryFiles, textOf } from "../support/repositoryFiles.js";

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
