export interface JsonProblem {
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
/** Short values take far more memory than text; this bounds a body at some hundred megabytes. */
const mostValues = 4_000_000;
/** Up to here a list is searched faster than a set is built. */
const fewKeys = 12;

/**
 * Looks through JSON text, valid or not, for what `JSON.parse` lets pass: duplicate keys, nesting beyond `deepest`, and
 * more values than fit into memory. It jumps over texts with `indexOf`, so that it costs what a document's structure
 * costs, not its length.
 */
export function scanJson(text: string, deepest: number): JsonProblem | null {
  return new JsonScan(text, deepest).run();
}

class JsonScan {
  /** One per open container: an object's keys so far, or null for an array. */
  private readonly scopes: (KeysSeen | null)[] = [];
  private keys: KeysSeen | null = null;
  private keyIsNext = false;
  /** Containers and commas. */
  private values = 0;
  private problem: JsonProblem | null = null;

  constructor(
    private readonly text: string,
    private readonly deepest: number,
  ) {}

  run(): JsonProblem | null {
    const { text } = this;
    for (let at = 0; at < text.length && this.problem === null; at++) {
      const character = text.charCodeAt(at);
      if (character === quote) at = this.skipText(at);
      else if (character === comma) this.startNext();
      else if (character === openBrace || character === openBracket) this.open(at, character === openBrace);
      else if (character === closeBrace || character === closeBracket) this.close();
    }
    if (this.values > mostValues)
      this.problem ??= { at: 0, message: `The body holds more than ${mostValues} values; send fewer in one request` };
    return this.problem;
  }

  /** Answers with the closing quote, or the end where there is none. */
  private skipText(start: number): number {
    const end = closingQuote(this.text, start + 1);
    if (end === -1) return this.text.length;
    if (this.keyIsNext && this.keys?.add(decodeKey(this.text.slice(start + 1, end))) === false) {
      this.problem = { at: start, message: "The same key stands twice in one object" };
    }
    this.keyIsNext = false;
    return end;
  }

  private startNext(): void {
    this.keyIsNext = this.keys !== null;
    this.values++;
  }

  private open(at: number, isObject: boolean): void {
    this.keys = isObject ? new KeysSeen() : null;
    this.keyIsNext = isObject;
    this.values++;
    if (this.scopes.push(this.keys) > this.deepest)
      this.problem = { at, message: `The body is nested more than ${this.deepest} deep` };
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
  private readonly list: string[] = [];
  private set: Set<string> | null = null;

  /** False where the key was there already. */
  add(key: string): boolean {
    if (this.set === null ? this.list.includes(key) : this.set.has(key)) return false;
    if (this.set !== null) this.set.add(key);
    else if (this.list.push(key) > fewKeys) this.set = new Set(this.list);
    return true;
  }
}
