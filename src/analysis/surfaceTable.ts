import { randomInt } from "node:crypto";

/** No token has this hash. */
const emptyHash = 0;

/**
 * Remembers something of each token, to be found by a range of a text without cutting the token out: a token is hashed
 * and compared where it stands. Open addressing; never more than half full.
 */
export class SurfaceTable<Entry> {
  private readonly hashes: Int32Array;
  /** By place in `hashes`: the index of token and entry. */
  private readonly indexes: Int32Array;
  private readonly tokens: string[] = [];
  private readonly entries: Entry[] = [];

  /** @param capacity tokens at most; a power of two. */
  constructor(capacity: number) {
    this.hashes = new Int32Array(capacity * 2);
    this.indexes = new Int32Array(capacity * 2);
  }

  get size(): number {
    return this.tokens.length;
  }

  /** What was remembered of `text.slice(start, end)`; undefined: nothing yet. */
  find(text: string, start: number, end: number): Entry | undefined {
    const hash = hashOf(text, start, end);
    const mask = this.hashes.length - 1;
    for (let at = hash & mask; this.hashes[at] !== emptyHash; at = (at + 1) & mask) {
      if (this.hashes[at] !== hash) continue;
      const index = this.indexes[at] as number;
      if (isAt(this.tokens[index] as string, text, start, end)) return this.entries[index];
    }
    return undefined;
  }

  /** The token must be new, and the table not full. */
  add(token: string, entry: Entry): void {
    const hash = hashOf(token, 0, token.length);
    const mask = this.hashes.length - 1;
    let at = hash & mask;
    while (this.hashes[at] !== emptyHash) at = (at + 1) & mask;
    this.hashes[at] = hash;
    this.indexes[at] = this.tokens.length;
    this.tokens.push(token);
    this.entries.push(entry);
  }
}

/** Another one in each process: nobody can write a text whose words all share a place. */
const seed = randomInt(2 ** 31);

/** FNV-1a over UTF-16 units, mixed so that its low bits tell apart; never {@link emptyHash}. */
function hashOf(text: string, start: number, end: number): number {
  let hash = seed;
  for (let index = start; index < end; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash ^= hash >>> 15;
  return hash === emptyHash ? 1 : hash;
}

function isAt(token: string, text: string, start: number, end: number): boolean {
  if (token.length !== end - start) return false;
  for (let index = 0; index < token.length; index += 1) if (token.charCodeAt(index) !== text.charCodeAt(start + index)) return false;
  return true;
}
