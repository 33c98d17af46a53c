import { hashOf, noHash } from "./tokenHash.js";

/** How many units a token has on average, before more room has to be made. */
const usualLength = 8;

/**
 * Remembers something about each token. A token is found by a range of a text, without cutting it out: it is hashed and
 * compared where it stands. Open addressing, never more than half full. What a look-up reads lies together, because
 * most of its time goes to memory.
 */
export class SurfaceTable<Entry> {
  /** Pairs: a hash, and the index of token and entry. */
  private readonly places: Int32Array;
  /** By index: where the token's units begin. They end where those of the next one begin. */
  private readonly begins: Int32Array;
  private units: Uint16Array;
  private readonly entries: Entry[] = [];
  private readonly mask: number;

  /** @param capacity at most this many tokens; a power of two. */
  constructor(capacity: number) {
    this.places = new Int32Array(capacity * 4);
    this.begins = new Int32Array(capacity + 1);
    this.units = new Uint16Array(capacity * usualLength);
    this.mask = capacity * 2 - 1;
  }

  get size(): number {
    return this.entries.length;
  }

  /** What was remembered of `text.slice(start, end)`, whose hash is `hash`; undefined where nothing was. */
  find(text: string, start: number, end: number, hash: number): Entry | undefined {
    const { places, mask } = this;
    for (let at = hash & mask; places[at * 2] !== noHash; at = (at + 1) & mask) {
      if (places[at * 2] !== hash) continue;
      const index = places[at * 2 + 1] as number;
      if (this.isAt(index, text, start, end)) return this.entries[index];
    }
    return undefined;
  }

  /** The token must be new, and the table not full. */
  add(token: string, entry: Entry): void {
    const { places, mask } = this;
    const hash = hashOf(token, 0, token.length);
    let at = hash & mask;
    while (places[at * 2] !== noHash) at = (at + 1) & mask;
    places[at * 2] = hash;
    places[at * 2 + 1] = this.entries.length;
    this.entries.push(entry);
    this.keep(token);
  }

  private keep(token: string): void {
    const begin = this.begins[this.entries.length - 1] as number;
    const end = begin + token.length;
    if (end > this.units.length) {
      const units = new Uint16Array(Math.max(end, this.units.length * 2));
      units.set(this.units);
      this.units = units;
    }
    for (let index = 0; index < token.length; index += 1) this.units[begin + index] = token.charCodeAt(index);
    this.begins[this.entries.length] = end;
  }

  private isAt(index: number, text: string, start: number, end: number): boolean {
    const { units } = this;
    const begin = this.begins[index] as number;
    const length = end - start;
    if ((this.begins[index + 1] as number) - begin !== length) return false;
    for (let unit = 0; unit < length; unit += 1)
      if (units[begin + unit] !== text.charCodeAt(start + unit)) return false;
    return true;
  }
}
