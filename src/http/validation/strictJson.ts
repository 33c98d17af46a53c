import { isUtf8 } from "node:buffer";
import { isUnstorable, notStorable } from "../../shared/texts.js";
import { failed, ok, type Result } from "../../shared/result.js";
import { issue, valueError, type Issue, type Location } from "./issue.js";

const deepest = 200;

/** JSON that was read as every reader would read it. */
interface ParsedJson {
  readonly value: unknown;
  /** Whether texts in it may be unstorable: only escapes can be, so that most bodies need no look at each text. */
  readonly hasEscapes: boolean;
}

/**
 * Parses a request body. Beyond what JSON itself forbids, it refuses what cannot be stored: NUL characters and unpaired
 * surrogates; and what {@link parseJson} refuses.
 */
export function parseStrictJson(bytes: Buffer, mostValues: number): Result<unknown, readonly Issue[]> {
  const parsed = parseJson(bytes, mostValues);
  if (!parsed.ok) return parsed;
  const { value, hasEscapes } = parsed.value;
  const found = hasEscapes ? unstorableText(value, ["body"]) : null;
  return found === null ? ok(value) : failed([found]);
}

/**
 * Parses a request body. Beyond what JSON itself forbids, it refuses what would be read differently by different
 * readers: invalid UTF-8, duplicate keys, nesting beyond 200; and, before anything is made of it, what has more keys or
 * values than a body has use for.
 */
export function parseJson(bytes: Buffer, mostValues: number): Result<ParsedJson, readonly Issue[]> {
  if (!isUtf8(bytes)) return invalid("The body is not valid UTF-8");
  const text = bytes.toString("utf8", bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0);
  if (text === "") return failed([issue(["body"], "missing", "Field required")]);
  const problem = scanJson(text, { deepest, mostValues });
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

interface JsonProblem {
  /** Index into the text. */
  readonly at: number;
  readonly message: string;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
/** No object of the API has more than some thirty keys that count: what is a map elsewhere is a list here. */
const mostKeys = 256;
/** Up to here a list is searched faster than a set is built. */
const fewKeys = 12;

/** How deep and how rich JSON may be. */
interface JsonBounds {
  readonly deepest: number;
  /** Objects, lists and commas: short values take far more memory than text. */
  readonly mostValues: number;
}

/**
 * Looks through JSON text, valid or not, for what `JSON.parse` lets pass: duplicate keys, and what is deeper, or more,
 * than a body has use for. It stops at the first, before anything is made of the body. It jumps over texts with
 * `indexOf`, so that it costs what a document's structure costs, not its length.
 */
export function scanJson(text: string, bounds: JsonBounds): JsonProblem | null {
  return new JsonScan(text, bounds).run();
}

class JsonScan {
  /** One per open container: an object's keys so far, or null for an array. */
  private readonly scopes: (KeysSeen | null)[] = [];
  private keys: KeysSeen | null = null;
  private keyIsNext = false;
  private values = 0;
  private problem: JsonProblem | null = null;

  constructor(
    private readonly text: string,
    private readonly bounds: JsonBounds,
  ) {}

  run(): JsonProblem | null {
    const { text } = this;
    for (let at = 0; at < text.length && this.problem === null; at++) {
      const character = text.charCodeAt(at);
      if (character === quote) at = this.skipText(at);
      else if (character === comma) this.startNext(at);
      else if (character === openBrace || character === openBracket) this.open(at, character === openBrace);
      else if (character === closeBrace || character === closeBracket) this.close();
    }
    return this.problem;
  }

  /** Answers with the closing quote, or the end where there is none. */
  private skipText(start: number): number {
    const end = closingQuote(this.text, start + 1);
    if (end === -1) return this.text.length;
    if (this.keyIsNext && this.keys !== null) this.addKey(start, this.keys, this.text.slice(start + 1, end));
    this.keyIsNext = false;
    return end;
  }

  private addKey(at: number, keys: KeysSeen, raw: string): void {
    if (!keys.add(decodeKey(raw))) this.problem = { at, message: "The same key stands twice in one object" };
    else if (keys.count > mostKeys) this.problem = { at, message: `An object has more than ${mostKeys} keys` };
  }

  private startNext(at: number): void {
    this.keyIsNext = this.keys !== null;
    this.countValue(at);
  }

  private countValue(at: number): void {
    const { mostValues } = this.bounds;
    if (++this.values <= mostValues) return;
    this.problem = { at, message: `The body holds more than ${mostValues} values; send fewer in one request` };
  }

  private open(at: number, isObject: boolean): void {
    this.keys = isObject ? new KeysSeen() : null;
    this.keyIsNext = isObject;
    this.countValue(at);
    if (this.scopes.push(this.keys) > this.bounds.deepest)
      this.problem = { at, message: `The body is nested more than ${this.bounds.deepest} deep` };
  }

  private close(): void {
    this.scopes.pop();
    this.keys = this.scopes.at(-1) ?? null;
    this.keyIsNext = false;
  }
}

/** Where the text that starts at `from` ends; -1 where it does not. */
function closingQuote(text: string, from: number): number {
  for (let end = text.indexOf('"', from); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return -1;
}

/** `a` and `\u0061` are the same key. */
function decodeKey(raw: string): string {
  if (!raw.includes("\\")) return raw;
  try {
    return JSON.parse(`"${raw}"`) as string;
  } catch {
    return raw;
  }
}

class KeysSeen {
  count = 0;
  private readonly list: string[] = [];
  private set: Set<string> | null = null;

  /** False where the key was there already. */
  add(key: string): boolean {
    if (this.set === null ? this.list.includes(key) : this.set.has(key)) return false;
    this.count++;
    if (this.set !== null) this.set.add(key);
    else if (this.list.push(key) > fewKeys) this.set = new Set(this.list);
    return true;
  }
}
