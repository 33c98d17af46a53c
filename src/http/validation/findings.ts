import type { IValidation } from "typia";
import type { Location } from "./issue.js";

/** What a value should have been at a place. */
export type Rule =
  | {
      readonly rule:
        "missing" | "object" | "string" | "boolean" | "number" | "integer" | "list" | "finite" | "fraction";
    }
  | { readonly rule: "minLength" | "maxLength" | "minItems" | "maxItems"; readonly argument: number }
  | { readonly rule: "minimum" | "maximum"; readonly argument: number }
  | { readonly rule: "pattern"; readonly argument: string }
  | { readonly rule: "oneOf"; readonly argument: readonly string[] };

/** Something that is wrong with a value. */
export type Finding = Rule & { readonly path: Location; readonly value: unknown };

/**
 * What typia found, apart from its wording: this is the one place that reads the type names of which its `expected` is
 * made. The tests try each tag, so that another wording of another version breaks one of them.
 */
export const toFinding = ({ path, expected, value }: IValidation.IError): Finding => ({
  path: stepsOf(path),
  value,
  ...(value === undefined ? { rule: "missing" } : (brokenTag(expected, value) ?? wrongType(expected, value))),
});

/** `$input.documents[0].id` → `["documents", 0, "id"]`. */
function stepsOf(path: string): Location {
  const steps = path.slice("$input".length).matchAll(/\.([\w$]+)|\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]/g);
  return [...steps].map(([, name, index, quoted]) => (index === undefined ? (name ?? quoted ?? "") : Number(index)));
}

/** The tag that a text or a list breaks. */
function brokenTag(expected: string, value: unknown): Rule | undefined {
  if (Array.isArray(value)) {
    if (value.length === 0 && expected.includes("MinItems<")) return { rule: "minItems", argument: 1 };
    const most = numberIn(/\bMaxItems<(\d+)>/, expected);
    return most === undefined ? undefined : { rule: "maxItems", argument: most };
  }
  if (typeof value !== "string" || expected.includes("Array<")) return undefined;
  const [, tag, argument = ""] = /\b(MinLength|MaxCharacters|Pattern)<(\d+|"[^"]*")>/.exec(expected) ?? [];
  if (tag === "MinLength") return { rule: "minLength", argument: Number(argument) };
  if (tag === "MaxCharacters") return { rule: "maxLength", argument: Number(argument) };
  return tag === undefined ? undefined : { rule: "pattern", argument: JSON.parse(argument) as string };
}

function wrongType(expected: string, value: unknown): Rule {
  const words = [...expected.matchAll(/"([^"]*)"/g)].map(([, word]) => word ?? "");
  if (/\bArray</.test(expected)) return { rule: "list" };
  if (/\bstring\b/.test(expected)) return { rule: "string" };
  if (/\bnumber\b/.test(expected)) return wrongNumber(expected, value);
  if (/\bboolean\b/.test(expected)) return { rule: "boolean" };
  return words.length > 0 ? { rule: "oneOf", argument: words } : { rule: "object" };
}

/** The bounds of whole numbers that a few bytes hold. */
const boundsOfKinds: Readonly<Record<string, Bounds>> = {
  int32: { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
  uint32: { minimum: 0, maximum: 2 ** 32 - 1 },
};

function wrongNumber(expected: string, value: unknown): Rule {
  const kind = /\bType<"(\w+)">/.exec(expected)?.[1];
  if (typeof value !== "number") return { rule: kind === undefined ? "number" : "integer" };
  if (kind !== undefined && !Number.isInteger(value)) return { rule: "fraction" };
  return (
    outOfBounds(value, boundsOfKinds[kind ?? ""] ?? {}) ?? outOfBounds(value, boundsIn(expected)) ?? { rule: "finite" }
  );
}

interface Bounds {
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
}

const boundsIn = (expected: string): Bounds => ({
  minimum: numberIn(/\bMinimum<(-?[\d.]+)>/, expected),
  maximum: numberIn(/\bMaximum<(-?[\d.]+)>/, expected),
});

function outOfBounds(value: number, { minimum, maximum }: Bounds): Rule | undefined {
  if (minimum !== undefined && value < minimum) return { rule: "minimum", argument: minimum };
  if (maximum !== undefined && value > maximum) return { rule: "maximum", argument: maximum };
  return undefined;
}

function numberIn(tag: RegExp, expected: string): number | undefined {
  const argument = tag.exec(expected)?.[1];
  return argument === undefined ? undefined : Number(argument);
}
