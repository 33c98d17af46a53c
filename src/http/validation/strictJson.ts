import { isUtf8 } from "node:buffer";
import { failed, ok, type Result } from "../../shared/result.js";
import { issue, valueError, type Issue } from "./issue.js";
import { scanJson } from "./scanJson.js";

const deepest = 64;
const unstorable = /[\0\p{Surrogate}]/u;

/**
 * Parses a request body. Beyond what JSON itself forbids, it refuses what would be read differently by different
 * readers or cannot be stored: invalid UTF-8, duplicate keys, nesting beyond 64, NUL characters and unpaired
 * surrogates.
 */
export function parseStrictJson(bytes: Buffer): Result<unknown, readonly Issue[]> {
  if (!isUtf8(bytes)) return invalid("The body is not valid UTF-8");
  const text = bytes.toString("utf8", bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0);
  if (text === "") return failed([issue(["body"], "missing", "Field required")]);
  const problem = scanJson(text, deepest);
  if (problem !== null) return invalid(problem.message, problem.at);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return invalid(describeSyntaxError(error), positionOf(error, text));
  }
  // In valid JSON they can only stand as escapes.
  const found = text.includes("\\u") ? findUnstorable(value, ["body"]) : null;
  return found === null ? ok(value) : failed([found]);
}

const invalid = (error: string, at?: number): Result<never, readonly Issue[]> =>
  failed([issue(at === undefined ? ["body"] : ["body", at], "json_invalid", "JSON decode error", { error })]);

/** V8 quotes the input in its message; what was sent has no place in an answer or a log. */
function describeSyntaxError(error: unknown): string {
  const message = (error as Error).message;
  if (message.includes("end of JSON input")) return "The body ends before the value is complete";
  return "The body is not valid JSON";
}

/** Undefined where V8 does not say. */
function positionOf(error: unknown, text: string): number | undefined {
  const position = /at position (\d+)/.exec((error as Error).message)?.[1];
  if (position !== undefined) return Number(position);
  return (error as Error).message.includes("end of JSON input") ? text.length : undefined;
}

/** Depth is bounded by the scan before. */
function findUnstorable(value: unknown, loc: (string | number)[]): Issue | null {
  if (typeof value === "string" && unstorable.test(value))
    return valueError(loc, "text may not hold NUL characters or unpaired surrogates");
  if (typeof value !== "object" || value === null) return null;
  const steps: Iterable<[string | number, unknown]> = Array.isArray(value) ? value.entries() : Object.entries(value);
  for (const [step, inner] of steps) {
    const found = findUnstorable(inner, [...loc, step]);
    if (found !== null) return found;
  }
  return null;
}
