import { Refusal, tokensOf, type Stored, type StoredCollection } from "./storedCollection.js";

export type Predicate = (stored: Stored) => boolean;

const unbalanced = "Could not parse the filter query: unbalanced parentheses.";
/** Conditions, and what joins them. */
const mostOperations = 100;

/**
 * Compiles the part of `filter_by` that adapters use: `&&`, `||`, parentheses, `:`, `:=`, `:!`, `:!=`, lists,
 * comparisons of numbers.
 */
export function compileFilter(filter: string, collection: StoredCollection): Predicate {
  const parts = tokenise(filter);
  let at = 0;
  // Both operators bind alike, and from the left.
  const expression = (): Predicate => {
    let left = operand();
    while (parts[at] === "&&" || parts[at] === "||") {
      const areBoth = parts[at++] === "&&";
      const [one, other] = [left, operand()];
      left = areBoth ? (stored) => one(stored) && other(stored) : (stored) => one(stored) || other(stored);
    }
    return left;
  };
  const operand = (): Predicate => {
    const part = parts[at++];
    if (part === undefined || part === ")") throw new Refusal(400, unbalanced);
    if (part !== "(") return compileExpression(part, collection);
    const inner = expression();
    if (parts[at++] !== ")") throw new Refusal(400, unbalanced);
    return inner;
  };
  const whole = expression();
  if (at < parts.length) throw new Refusal(400, unbalanced);
  return whole;
}

function tokenise(filter: string): string[] {
  const parts =
    filter
      .match(/\(|\)|&&|\|\||(?:`[^`]*`|[^()&|`])+/g)
      ?.map((part) => part.trim())
      .filter((part) => part !== "") ?? [];
  const opened = parts.filter((part) => part === "(").length;
  if (opened !== parts.filter((part) => part === ")").length) throw new Refusal(400, unbalanced);
  if (parts.filter((part) => part !== "(" && part !== ")").length > mostOperations)
    throw new Refusal(400, "`filter_by` has too many operations.");
  return parts;
}

function compileExpression(expression: string, collection: StoredCollection): Predicate {
  const [, name = "", comparator = "", value = ""] = /^([\w.]+):\s*(!=|=|>=|<=|>|<|!|)\s*(.*)$/s.exec(expression) ?? [];
  if (name === "") throw new Refusal(400, "Could not parse the filter query.");
  const values = valuesIn(value);
  const holds = name === "id" ? compileIds(values) : compileField(name, comparator, values, collection);
  return comparator.startsWith("!") ? (stored) => !holds(stored) : holds;
}

const valuesIn = (value: string): readonly string[] =>
  (value.startsWith("[") && value.endsWith("]") ? value.slice(1, -1).split(",") : [value])
    .map((one) => one.trim().replaceAll("`", ""))
    .filter((one) => one !== "");

function compileIds(values: readonly string[]): Predicate {
  const ids = new Set(values);
  return ({ document }) => ids.has(document.id);
}

function compileField(
  name: string,
  comparator: string,
  values: readonly string[],
  collection: StoredCollection,
): Predicate {
  const field = collection.field(name);
  if (field === undefined) throw new Refusal(400, `Could not find a filter field named \`${name}\` in the schema.`);
  if (values.length === 0) throw new Refusal(400, `Error with filter field \`${name}\`: Filter value cannot be empty.`);
  if (field.type === "bool") return ({ document }) => values.includes(String(document[name]));
  if (!field.type.startsWith("string")) return compileNumber(name, comparator, values.map(Number));
  return compileText(name, comparator.endsWith("="), values, collection);
}

/** Without `=` a value is found where all of its words stand, in any order; with it, where it is all there is. */
function compileText(
  name: string,
  isExact: boolean,
  values: readonly string[],
  collection: StoredCollection,
): Predicate {
  const isList = collection.field(name)?.type === "string[]";
  const found = new Set<Stored>();
  for (const value of values) {
    const tokens = isList ? [tokensOf(value).join(" ")] : tokensOf(value);
    const [first, ...others] = tokens.map((token) => collection.withToken(name, token));
    for (const stored of first ?? []) {
      const isFound =
        others.every((holding) => holding.has(stored)) &&
        (!isExact || isList || stored.tokens.get(name)?.length === tokens.length);
      if (isFound) found.add(stored);
    }
  }
  return (stored) => found.has(stored);
}

function compileNumber(name: string, comparator: string, values: readonly number[]): Predicate {
  if (values.some(Number.isNaN)) throw new Refusal(400, `Error with filter field \`${name}\`: Not an int64.`);
  const [limit = 0] = values;
  const compare: Readonly<Record<string, (value: number) => boolean>> = {
    ">": (value) => value > limit,
    ">=": (value) => value >= limit,
    "<": (value) => value < limit,
    "<=": (value) => value <= limit,
  };
  const all = new Set(values);
  const holds = compare[comparator] ?? ((value: number) => all.has(value));
  return ({ document }) => [document[name]].flat().some((value) => typeof value === "number" && holds(value));
}
