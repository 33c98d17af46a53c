import { expect } from "chai";
import ts from "typescript";
import { projectionKinds } from "../../src/events/projection.js";
import { placeOf, sourceFiles, visit, type SourceFile } from "./sourceFiles.js";

const names: ReadonlySet<string> = new Set(Object.keys(projectionKinds));
const isName = (node: ts.Node): boolean => ts.isStringLiteralLike(node) && names.has(node.text);

/** Those that mean nothing else; `search`, `catalogue` and `credentials` are words of questions as well. */
const unmistakable: ReadonlySet<string> = new Set([...names].filter((name) => /[A-Z]/.test(name)));

/** Where names may be: the storages of engines, the vocabulary, what answers rest on, and the root. */
const atHome =
  /^src\/(adapters\/(search|store|permissionHistory)|wiring)\/|^src\/(events\/(projection|discardable)|readModels\/answersRestOn)\.ts$/;
/** There `search` is a mode: it may import nothing that knows a read model. */
const webSearch = /^src\/(webSearch\/|settings\/web\.ts$)/;
const production = sourceFiles.filter(
  ({ path }) => /^(commands|queries|projections|src)\//.test(path) && !webSearch.test(path),
);

/**
 * Asks which read model it is, or for one: compares, looks up, takes one out by its name, hands a name or a list of
 * them on. What an object says of itself, `name: "catalogue"`, is no question; nor is an example in a description.
 */
function asksByName(node: ts.Node): boolean {
  if (ts.isBinaryExpression(node)) return comparesName(node);
  if (ts.isCaseClause(node)) return isName(node.expression);
  if (ts.isElementAccessExpression(node)) return isName(node.argumentExpression);
  if (ts.isPropertyAccessExpression(node)) return unmistakable.has(node.name.text);
  if (ts.isBindingElement(node)) return unmistakable.has((node.propertyName ?? node.name).getText());
  if (ts.isArrayLiteralExpression(node)) return node.elements.some(isName);
  return (ts.isCallExpression(node) || ts.isNewExpression(node)) && (node.arguments ?? []).some(isName);
}

function comparesName({ left, right, operatorToken }: ts.BinaryExpression): boolean {
  // A `kind` is no read model, whatever it is called.
  const ofKind = [left, right].some((side) => ts.isPropertyAccessExpression(side) && side.name.text === "kind");
  return /^[!=]==?$/.test(operatorToken.getText()) && !ofKind && (isName(left) || isName(right));
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
  it("are asked for by nobody but the root and the storages", () => {
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
      "const clock = readModels.permissionHistory.reader;",
      "const { groupClosure: access } = readModels;",
      'const asked = ["credentials"];',
      'await untilProjected("search");',
      'new Projected(first, "catalogue");',
    ])
      expect(found(written(text), asksByName), text).to.have.length(1);
    for (const text of ['const isSearch = canary.kind === "search";', 'const own = { name: "search" };'])
      expect(found(written(text), asksByName), text).to.deep.equal([]);
  });
});
