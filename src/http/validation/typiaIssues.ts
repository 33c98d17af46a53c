import type { IValidation } from "typia";
import {
  echo,
  issue,
  missing,
  mostIssues,
  notAnObject,
  notInEnum,
  outOfBounds,
  patternMismatch,
  tooFew,
  tooLong,
  tooMany,
  tooShort,
  type Issue,
  type Location,
} from "./issue.js";

/** Turns what typia found wrong at `root` into issues in the spec's words, as many as are told. */
export function toIssues(errors: readonly IValidation.IError[], root: Location): Issue[] {
  return errors.slice(0, mostIssues).map((error) => toIssue(error, [...root, ...locationOf(error.path)]));
}

/** `$input.documents[0].id` → `["documents", 0, "id"]`. */
function locationOf(path: string): (string | number)[] {
  const steps = path.slice("$input".length).matchAll(/\.([\w$]+)|\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]/g);
  return [...steps].map(([, name, index, quoted]) => (index === undefined ? (name ?? quoted ?? "") : Number(index)));
}

function toIssue({ expected, value }: IValidation.IError, loc: Location): Issue {
  if (value === undefined) return missing(loc);
  const found = brokenRule(expected, value, loc) ?? wrongType(expected, value, loc);
  return { ...found, ...echo(value) };
}

/** The tag that a text or a list breaks; typia names its kind in `expected`. */
function brokenRule(expected: string, value: unknown, loc: Location): Issue | undefined {
  if (Array.isArray(value)) {
    if (value.length === 0 && expected.includes("MinItems<")) return tooFew(loc);
    const most = /\bMaxItems<(\d+)>/.exec(expected)?.[1];
    return most === undefined ? undefined : tooMany(loc, Number(most));
  }
  const rule =
    typeof value === "string" && !expected.includes("Array<")
      ? /\b(MinLength|MaxCharacters|Pattern)<(\d+|"[^"]*")>/.exec(expected)
      : null;
  if (rule === null) return undefined;
  const [, name, argument = ""] = rule;
  if (name === "MinLength") return tooShort(loc, Number(argument));
  if (name === "MaxCharacters") return tooLong(loc, Number(argument));
  return patternMismatch(loc, JSON.parse(argument) as string);
}

function wrongType(expected: string, value: unknown, loc: Location): Issue {
  const literals = [...expected.matchAll(/"([^"]*)"/g)].map(([, literal]) => literal ?? "");
  if (/\bArray</.test(expected)) return issue(loc, "list_type", "Input should be a valid list");
  if (/\bstring\b/.test(expected)) return issue(loc, "string_type", "Input should be a valid string");
  if (/\bnumber\b/.test(expected)) return wrongNumber(expected, value, loc);
  if (/\bboolean\b/.test(expected)) return issue(loc, "bool_type", "Input should be a valid boolean");
  return literals.length > 0 ? notInEnum(loc, literals) : notAnObject(loc);
}

/** Of whole numbers that a few bytes hold. */
const boundsOfKinds: Readonly<Record<string, { readonly minimum: number; readonly maximum: number }>> = {
  int32: { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
  uint32: { minimum: 0, maximum: 2 ** 32 - 1 },
};

/** What typia expects of a number names its kind and the bounds that it breaks. */
function wrongNumber(expected: string, value: unknown, loc: Location): Issue {
  const kind = /\bType<"(\w+)">/.exec(expected)?.[1];
  if (typeof value !== "number")
    return kind === undefined
      ? issue(loc, "float_type", "Input should be a valid number")
      : issue(loc, "int_type", "Input should be a valid integer");
  if (kind !== undefined && !Number.isInteger(value))
    return issue(loc, "int_from_float", "Input should be a valid integer, got a number with a fractional part");
  const bounds = boundsOfKinds[kind ?? ""] ?? boundsIn(expected);
  return outOfBounds(loc, value, bounds) ?? issue(loc, "finite_number", "Input should be a finite number");
}

function boundsIn(expected: string): { readonly minimum?: number; readonly maximum?: number } {
  const least = /\bMinimum<(-?[\d.]+)>/.exec(expected)?.[1];
  const most = /\bMaximum<(-?[\d.]+)>/.exec(expected)?.[1];
  return {
    ...(least !== undefined && { minimum: Number(least) }),
    ...(most !== undefined && { maximum: Number(most) }),
  };
}
