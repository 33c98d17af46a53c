import { expect } from "chai";
import ts from "typescript";
import { repositoryFiles, textOf } from "../support/repositoryFiles.js";
import { describeWithTestPackages } from "../support/testPackages.js";

interface Expression {
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

/** Expressions that are put together from pieces, file by file, and those pieces' values. */
const composed: Readonly<Record<string, readonly (readonly [source: string, flags: string])[]>> = {
  // One character of a class.
  "src/analysis/folding.ts": [["[ßæœ]", "g"]],
  // Paths of our own routes.
  "src/http/router.ts": [["^/api/indexing/documents/[^/]+/([a-z]+|[0-9]+)$", ""]],
  // The patterns of texts, which are found as such below.
  "src/http/validation/parameters.ts": [],
};

const isExamined = (path: string): boolean => /^(src|commands|projections|queries|web\/src)\/.*\.tsx?$/.test(path);

/**
 * Every literal, every `new RegExp` of a constant of its file, and every pattern that checks of messages are made of.
 */
function expressionsIn(path: string): Expression[] {
  const syntax = ts.createSourceFile(path, textOf(path), ts.ScriptTarget.Latest, true);
  const found: Expression[] = [];
  const constants = new Map<string, string>();
  const placeOf = (node: ts.Node): string =>
    `${path}:${syntax.getLineAndCharacterOfPosition(node.getStart(syntax)).line + 1}`;
  const valueOf = (node: ts.Node | undefined): string | undefined => {
    if (node === undefined) return undefined;
    if (ts.isStringLiteralLike(node)) return node.text;
    if (ts.isIdentifier(node)) return constants.get(node.text);
    if (!ts.isTemplateExpression(node)) return undefined;
    const pieces = node.templateSpans.flatMap(({ expression, literal }) => [valueOf(expression), literal.text]);
    return pieces.includes(undefined) ? undefined : node.head.text + pieces.join("");
  };
  const noteConstant = (node: ts.Node): void => {
    if (!ts.isVariableDeclaration(node) || !ts.isIdentifier(node.name)) return;
    const value = valueOf(node.initializer);
    if (value !== undefined) constants.set(node.name.text, value);
  };
  const noteComposed = (node: ts.Node): void => {
    if (!ts.isNewExpression(node) || node.expression.getText(syntax) !== "RegExp") return;
    const source = valueOf(node.arguments?.[0]);
    if (source !== undefined) found.push({ place: placeOf(node), source, flags: valueOf(node.arguments?.[1]) ?? "" });
    else if (composed[path] === undefined) throw new Error(`${placeOf(node)}: nobody says what it is composed of.`);
  };
  const look = (node: ts.Node): void => {
    noteConstant(node);
    noteComposed(node);
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf("/");
      found.push({ place: placeOf(node), source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    }
    if (isPattern(node)) found.push({ place: placeOf(node), source: node.text, flags: "" });
    ts.forEachChild(node, look);
  };
  look(syntax);
  for (const [source, flags] of composed[path] ?? []) found.push({ place: path, source, flags });
  return found;
}

/** A text of `tags.Pattern<"…">`, or of a property that is called so. */
function isPattern(node: ts.Node): node is ts.StringLiteralLike {
  if (!ts.isStringLiteralLike(node)) return false;
  const { parent } = node;
  if (ts.isPropertyAssignment(parent)) return parent.name.getText() === "pattern";
  return ts.isLiteralTypeNode(parent) && ts.isTypeReferenceNode(parent.parent) && isNamedPattern(parent.parent);
}

const isNamedPattern = ({ typeName }: ts.TypeReferenceNode): boolean => /(^|\.)Pattern$/.test(typeName.getText());

/** What of these may take more than linear time, with a text that shows it. */
async function superlinear(expressions: readonly Expression[]): Promise<string[]> {
  const told: string[] = [];
  const verdicts = new Map<string, Promise<string | null>>();
  for (const { place, source, flags } of expressions) {
    const key = `/${source}/${flags}`;
    const verdict = verdicts.get(key) ?? verdictOf(source, flags);
    verdicts.set(key, verdict);
    const said = await verdict;
    if (said !== null) told.push(`${place}: ${key}: ${said}`);
  }
  return told;
}

async function verdictOf(source: string, flags: string): Promise<string | null> {
  const { check } = await import("recheck");
  // The checker takes a text for an attack that takes longer than it waits: on a busy machine that is any text. So the
  // steps of its own matcher decide; the time in all is for a checker that never ends.
  const verdict = await check(source, flags, { timeout: 300_000, incubationTimeout: null, attackTimeout: null });
  if (verdict.status === "safe") return null;
  if (verdict.status === "unknown") return `not decided: ${verdict.error.kind}`;
  return `${verdict.complexity.summary}, as of ${JSON.stringify(verdict.attack.string.slice(0, 60))}`;
}

describeWithTestPackages("regular expressions", () => {
  it("take no more than linear time, whatever text they see", async function () {
    // Seconds where the checker has a binary for the platform, a minute where it runs as JavaScript.
    this.timeout(900_000);
    const expressions = repositoryFiles().filter(isExamined).flatMap(expressionsIn);
    expect(expressions.length).to.be.greaterThan(300);
    expect(await superlinear(expressions)).to.deep.equal([]);
  });

  it("are told apart from those that stop a service", async () => {
    const headerLines = String.raw`^(?:(?:From |[A-Za-z][\w-]{1,60}:)[^\n]*\r?\n(?:[ \t][^\n]*\r?\n)*)+\r?\n`;
    const told = await superlinear([
      { place: "exponential", source: headerLines, flags: "" },
      { place: "quadratic", source: "/+$", flags: "" },
      { place: "linear", source: String.raw`^/[^/]*$`, flags: "" },
    ]);
    expect(told.map((line) => line.split(":")[0])).to.deep.equal(["exponential", "quadratic"]);
  });
});
