import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { expect } from "chai";
import ts from "typescript";
import { repositoryFiles, repositoryRoot, textOf } from "../support/repositoryFiles.js";
import { placeOf, sourceFiles, type SourceFile } from "./sourceFiles.js";

const isTest = (file: SourceFile): boolean => file.path.startsWith("test/");
const production = sourceFiles.filter((file) => !isTest(file));
const longerThan = (files: readonly SourceFile[], lines: number): string[] =>
  files.filter((file) => file.lines > lines).map((file) => `${file.path}: ${file.lines} lines`);

describe("the style of the code", () => {
  it("keeps deciders to 130 lines", () => {
    expect(
      longerThan(
        sourceFiles.filter((file) => /^commands\/.*decider\.ts$/.test(file.path)),
        130,
      ),
    ).to.deep.equal([]);
  });

  it("keeps files to 600 lines", () => {
    expect(longerThan(production, 600)).to.deep.equal([]);
  });

  it("calls no file a grab bag", () => {
    const grabBag = /(utils?|helpers?|managers?|misc|common)(\.|$)/i;
    expect(
      repositoryFiles().filter((path) => grabBag.test(basename(path).replace(/\.(test\.)?ts$/, ""))),
    ).to.deep.equal([]);
  });

  it("names source files in camelCase", () => {
    const camelCase = /^[a-z][a-zA-Z0-9]*(\.test|\.d)?\.ts$/;
    expect(sourceFiles.map((file) => file.path).filter((path) => !camelCase.test(basename(path)))).to.deep.equal([]);
  });

  it("leaves nothing for later", () => {
    const later = new RegExp(`\\b(${["TO", "DO|FIX", "ME|XX", "X"].join("")})\\b`);
    expect(sourceFiles.filter((file) => later.test(file.text)).map((file) => file.path)).to.deep.equal([]);
  });

  it("promises something of everything that ports and entry points export", () => {
    const entry = /^((commands|projections|queries)\/ports|src\/main|src\/config)\.ts$/;
    expect(
      sourceFiles.filter((file) => entry.test(file.path)).flatMap((file) => undocumentedExports(file)),
    ).to.deep.equal([]);
  });

  it("promises something of every exported function and class that is more than its name", () => {
    const counts = (file: SourceFile) => (statement: ts.Statement) =>
      isFunctionOrClass(statement) && statement.getText(file.syntax).split("\n").length > 6;
    expect(production.flatMap((file) => undocumentedExports(file, counts(file)))).to.deep.equal([]);
  });

  it("calls typia for messages, and for the one file that the command line checks", () => {
    const typed =
      /^src\/(api\/|(http|audit|operations|mcp|webSearch|chat)\/(messages|routes)\/|http\/(validation\/|signIn\/signIn\.ts$)|cli\/import\/accessRulesFile\.ts$)/;
    const outside = production.filter((file) => !typed.test(file.path));
    expect(outside.filter((file) => /\btypia\b/.test(file.text)).map((file) => file.path)).to.deep.equal([]);
  });

  it("prints from the command line, the demo and the benchmarks alone", () => {
    const silent = sourceFiles.filter(
      (file) => !/^(src\/cli|src\/(audit|operations)\/commands|demo|bench)\//.test(file.path),
    );
    expect(
      silent.filter((file) => /\bconsole\s*\./.test(withoutComments(file))).map((file) => file.path),
    ).to.deep.equal([]);
  });
});

describe("the repository", () => {
  it("names no folder of one machine and no package registry", () => {
    const folder = `(^|["'\`(\\s=])/(${["work", "root", "home", "Users", "tmp/wt"].join("|")})/`;
    const local = new RegExp(
      [folder, "\\.\\./shared/(spec|design|decisions|relevance)", "registry\\.[a-z]+"].join("|"),
    );
    const texts = repositoryFiles().filter((path) => /\.(ts|js|cjs|mjs|json|md|ya?ml)$|^\.ci\//.test(path));
    expect(texts.filter((path) => local.test(textOf(path)))).to.deep.equal([]);
  });

  it("locks versions without saying where they were downloaded from", () => {
    for (const file of ["package-lock.json", "test/package-lock.json"]) {
      const lock = JSON.parse(textOf(file)) as { packages: Record<string, { resolved?: string }> };
      expect(
        Object.entries(lock.packages)
          .filter(([, entry]) => entry.resolved !== undefined)
          .map(([name]) => name),
        file,
      ).to.deep.equal([]);
    }
  });

  it("holds no compiled test whose source is gone (`npm run clean` removes them)", () => {
    const compiled = readdirSync(join(repositoryRoot, "dist/test"), { recursive: true, encoding: "utf8" });
    const orphans = compiled
      .filter((path) => path.endsWith(".test.js") && !path.startsWith("node_modules"))
      .filter((path) => !existsSync(join(repositoryRoot, "test", path.replace(/\.js$/, ".ts"))));
    expect(orphans).to.deep.equal([]);
  });
});

function isFunctionOrClass(statement: ts.Statement): boolean {
  if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) return true;
  if (!ts.isVariableStatement(statement)) return false;
  return statement.declarationList.declarations.some(
    ({ initializer }) =>
      initializer !== undefined && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer)),
  );
}

function undocumentedExports(file: SourceFile, counts: (statement: ts.Statement) => boolean = () => true): string[] {
  const exported = file.syntax.statements.filter(
    (statement) =>
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword),
  );
  return exported
    .filter((statement) => counts(statement) && ts.getJSDocCommentsAndTags(statement).length === 0)
    .map((statement) => `${placeOf(file, statement)} ${nameOf(statement)}`);
}

function nameOf(statement: ts.Statement): string {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText()).join(", ");
  return (statement as Partial<ts.DeclarationStatement>).name?.getText() ?? "";
}

function withoutComments(file: SourceFile): string {
  return file.text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
}
