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
/** Up to here a list is searched faster than a set is built. */
const fewKeys = 12;

/**
 * Looks through JSON text, valid or not, for what `JSON.parse` lets pass: duplicate keys and nesting beyond `deepest`. It
 * jumps over texts with `indexOf`, so that it costs what a document's structure costs, not its length.
 */
export function scanJson(text: string, deepest: number): JsonProblem | null {
  return new JsonScan(text, deepest).run();
}

class JsonScan {
  /** One per open container: an object's keys so far, or null for an array. */
  private readonly scopes: (KeysSeen | null)[] = [];
  private keys: KeysSeen | null = null;
  private keyIsNext = false;

  constructor(
    private readonly text: string,
    private readonly deepest: number,
  ) {}

  run(): JsonProblem | null {
    const { text } = this;
    for (let at = 0; at < text.length; at++) {
      const character = text.charCodeAt(at);
      if (character === quote) {
        const end = closingQuote(text, at + 1);
        if (end === -1) return null;
        if (this.keyIsNext && !this.addKey(at, end)) return { at, message: "The same key stands twice in one object" };
        at = end;
      } else if (character === comma) this.keyIsNext = this.keys !== null;
      else if (character === openBrace || character === openBracket) {
        if (!this.open(character === openBrace)) return { at, message: `The body is nested more than ${this.deepest} deep` };
      } else if (character === closeBrace || character === closeBracket) this.close();
    }
    return null;
  }

  private addKey(start: number, end: number): boolean {
    this.keyIsNext = false;
    return this.keys === null || this.keys.add(decodeKey(this.text.slice(start + 1, end)));
  }

  private open(isObject: boolean): boolean {
    this.keys = isObject ? new KeysSeen() : null;
    this.keyIsNext = isObject;
    return this.scopes.push(this.keys) <= this.deepest;
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
