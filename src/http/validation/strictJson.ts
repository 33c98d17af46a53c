import { isUtf8 } from "node:buffer";
import { isUnstorable, notStorable } from "../../shared/storableText.js";
import { failed, ok, type Result } from "../../shared/result.js";
import { issue, valueError, type Issue, type Location } from "./issue.js";
import { scanJson } from "./scanJson.js";

const deepest = 200;

/** JSON that was read as every reader would read it. */
export interface ParsedJson {
  readonly value: unknown;
  /** Whether texts in it may be unstorable: only escapes can be, so that most bodies need no look at each text. */
  readonly hasEscapes: boolean;
}

/**
 * Parses a request body. Beyond what JSON itself forbids, it refuses what cannot be stored: NUL characters and unpaired
 * surrogates; and what {@link parseJson} refuses.
 */
export function parseStrictJson(bytes: Buffer): Result<unknown, readonly Issue[]> {
  const parsed = parseJson(bytes);
  if (!parsed.ok) return parsed;
  const { value, hasEscapes } = parsed.value;
  const found = hasEscapes ? unstorableText(value, ["body"]) : null;
  return found === null ? ok(value) : failed([found]);
}

/**
 * Parses a request body. Beyond what JSON itself forbids, it refuses what would be read differently by different
 * readers: invalid UTF-8, duplicate keys, nesting beyond 200.
 */
export function parseJson(bytes: Buffer): Result<ParsedJson, readonly Issue[]> {
  if (!isUtf8(bytes)) return invalid("The body is not valid UTF-8");
  const text = bytes.toString("utf8", bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0);
  if (text === "") return failed([issue(["body"], "missing", "Field required")]);
  const problem = scanJson(text, deepest);
  if (problem !== null) return invalid(problem.message, problem.at);
  try {
    return ok({ value: JSON.parse(text) as unknown, hasEscapes: text.includes("\\u") });
  } catch (error) {
    return invalid(describeSyntaxError(error), positionOf(error, text));
  }
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

/** The first text in a parsed value that cannot be stored; null where there is none. Depth is bounded by the scan. */
export function unstorableText(value: unknown, loc: Location): Issue | null {
  if (typeof value === "string" && isUnstorable(value)) return valueError(loc, notStorable);
  if (typeof value !== "object" || value === null) return null;
  const steps: Iterable<[string | number, unknown]> = Array.isArray(value) ? value.entries() : Object.entries(value);
  for (const [step, inner] of steps) {
    const found = unstorableText(inner, [...loc, step]);
    if (found !== null) return found;
  }
  return null;
}
