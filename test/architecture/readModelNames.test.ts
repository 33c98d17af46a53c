import { expect } from "chai";
import ts from "typescript";
import { projectionKinds } from "../../src/events/projection.js";
import { placeOf, sourceFiles, visit, type SourceFile } from "./sourceFiles.js";

const names: ReadonlySet<string> = new Set(Object.keys(projectionKinds));
const isName = (node: ts.Node): boolean => ts.isStringLiteralLike(node) && names.has(node.text);

/** Where a read model is at home: its projection, its storages, the vocabulary, and the root with the registry. */
const atHome =
  /^(projections|src\/adapters\/(search|store|permissionHistory)|src\/wiring)\/|^src\/events\/(projection|discardable)\.ts$/;
const production = sourceFiles.filter(({ path }) => /^(commands|queries|projections|src)\//.test(path));

/** Asks which read model it is: compares, looks up, or takes one out by its name. */
function asksByName(node: ts.Node): boolean {
  if (ts.isBinaryExpression(node)) {
    const { left, right, operatorToken } = node;
    const isComparison = /^[!=]==?$/.test(operatorToken.getText());
    // A `kind` is no read model, whatever it is called.
    const ofKind = [left, right].some((side) => ts.isPropertyAccessExpression(side) && side.name.text === "kind");
    return isComparison && !ofKind && (isName(left) || isName(right));
  }
  if (ts.isCaseClause(node)) return isName(node.expression);
  if (ts.isElementAccessExpression(node)) return isName(node.argumentExpression);
  return (
    ts.isCallExpression(node) &&
    /\.(includes|has|get|of)$/.test(node.expression.getText()) &&
    node.arguments.some(isName)
  );
}

function found(file: SourceFile, isMeant: (node: ts.Node) => boolean): string[] {
  const places: string[] = [];
  visit(file.syntax, (node) => {
    if (isMeant(node)) places.push(`${placeOf(file, node)} ${node.getText(file.syntax)}`);
  });
  return places;
}

const written = (text: string): SourceFile => ({
  path: "src/daemon/written.ts",
  text,
  lines: 1,
  syntax: ts.createSourceFile("written.ts", text, ts.ScriptTarget.ES2022, true),
});

describe("the names of read models", () => {
  it("are asked for by nobody outside of their own folders and the registry", () => {
    const elsewhere = production.filter(({ path }) => !atHome.test(path));
    expect(elsewhere.flatMap((file) => found(file, asksByName))).to.deep.equal([]);
  });

  it("are nowhere in the runtime, which knows read models as objects", () => {
    const runtime = production.filter(({ path }) => path.startsWith("src/daemon/"));
    expect(runtime.length).to.be.greaterThan(10);
    expect(runtime.flatMap((file) => found(file, isName))).to.deep.equal([]);
  });

  it("would be found where somebody asked for one", () => {
    for (const text of [
      'const special = name === "catalogue";',
      'if ("search" !== readModel.name) skip();',
      'switch (name) { case "permissionHistory": break; }',
      'const state = feed.of("groupClosure");',
      'const one = readModels["credentials"];',
    ])
      expect(found(written(text), asksByName), text).to.have.length(1);
    expect(found(written('const isSearch = canary.kind === "search";'), asksByName)).to.deep.equal([]);
  });
});
