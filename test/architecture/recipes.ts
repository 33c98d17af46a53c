import ts from "typescript";
import { repositoryFiles, textOf } from "../support/repositoryFiles.js";
import { sourceFiles, visit, type SourceFile } from "./sourceFiles.js";

/** A recipe of docs/extending.md. */
export interface Recipe {
  /** Files, and folders with a slash at their end, in the order in which they are to be touched. */
  readonly places: readonly string[];
  /** The text between the heading and the first place. */
  readonly introduction: string;
}

/** The recipes of docs/extending.md by their headings. A place is a numbered item that begins with a path. */
export function readRecipes(): ReadonlyMap<string, Recipe> {
  const sections = textOf("docs/extending.md").split(/^##+ /m).slice(1);
  return new Map(
    sections.map((section) => {
      const [heading = ""] = section.split("\n");
      const introduction = section.slice(heading.length).split(/^1\. /m)[0] ?? "";
      const places = [...section.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, place]) => place ?? "");
      return [heading, { places, introduction }];
    }),
  );
}

const program = sourceFiles.filter(({ path }) => /^(src|commands|projections|queries)\//.test(path));

/** Files of the program that hold one of these names: as an identifier, a property, or a whole string. */
export function filesNaming(...names: readonly string[]): readonly string[] {
  const wanted = new Set(names);
  const isWanted = (node: ts.Node): boolean =>
    (ts.isIdentifier(node) || ts.isStringLiteralLike(node)) && wanted.has(node.text);
  return program.filter((file) => findsAny(file, isWanted)).map(({ path }) => path);
}

/** Those of these files, which are no part of the program, that hold a text. */
export const othersHolding = (paths: readonly string[], text: string): readonly string[] =>
  paths.filter((path) => textOf(path).includes(text));

/** Files of the program that import from a file or from below a folder, both told by their path. */
export function filesImporting(place: string): readonly string[] {
  const target = place.replace(/\.ts$/, ".js");
  return program.filter((file) => importsOf(file).some((path) => path.startsWith(target))).map(({ path }) => path);
}

/** Files of the program below a folder. */
export const filesBelow = (folder: string): readonly string[] =>
  program.map(({ path }) => path).filter((path) => path.startsWith(folder));

/** Files of the dashboard that hold a text, and those below a folder of it. */
export const pageFilesOf = (folder: string, text: string): readonly string[] =>
  repositoryFiles()
    .filter((path) => path.startsWith("web/src/"))
    .filter((path) => path.startsWith(folder) || textOf(path).includes(text));

/** Files of the program in which an object, a type or a list has an entry of this name, or a text is equal to it. */
export function filesWithEntry(name: string): readonly string[] {
  return program.filter((file) => findsAny(file, (node) => isEntry(node, name))).map(({ path }) => path);
}

/** `found` with each file that lies in a folder among the places replaced by that folder; sorted, without repeats. */
export function asPlaces(found: readonly string[], places: readonly string[]): readonly string[] {
  const folders = places.filter((place) => place.endsWith("/"));
  return [...new Set(found.map((path) => folders.find((folder) => path.startsWith(folder)) ?? path))].sort();
}

function findsAny(file: SourceFile, isWanted: (node: ts.Node) => boolean): boolean {
  let isFound = false;
  visit(file.syntax, (node) => {
    if (isWanted(node)) isFound = true;
  });
  return isFound;
}

function isEntry(node: ts.Node, name: string): boolean {
  if (ts.isStringLiteralLike(node)) return node.text === name;
  if (!ts.isPropertyAssignment(node) && !ts.isShorthandPropertyAssignment(node) && !ts.isPropertySignature(node))
    return false;
  return (ts.isIdentifier(node.name) || ts.isStringLiteralLike(node.name)) && node.name.text === name;
}

function importsOf(file: SourceFile): readonly string[] {
  const folder = file.path.slice(0, file.path.lastIndexOf("/") + 1);
  const specifiers: string[] = [];
  visit(file.syntax, (node) => {
    if (!ts.isStringLiteralLike(node) || !/^\.\.?\//.test(node.text)) return;
    if (ts.isImportDeclaration(node.parent) || ts.isExportDeclaration(node.parent) || isDynamicImport(node.parent))
      specifiers.push(new URL(node.text, `file:///${folder}`).pathname.slice(1));
  });
  return specifiers;
}

const isDynamicImport = (node: ts.Node): boolean =>
  ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
