/*
 * A page says of up to 512 passages where they stand and which terms they hold:
 *
 * - the number of passages, the number of buckets (16 bits each), and where the first passage begins (32 bits);
 * - where each passage ends (32 bits each);
 * - where each bucket begins, and where the last one ends (32 bits each), from the beginning of the entries;
 * - the entries of each bucket. The lowest bits of a term's hash name its bucket; an entry begins with its highest 24,
 *   and goes on with the number of bytes that follow, and these: the passages that hold the term, each as its distance
 *   from the one before, times 4, plus how often it stands there, less one. Passage 0 is title and properties, which
 *   count in all of them. Numbers are written seven bits to a byte, the lowest first; the last byte is below 128.
 *
 * All of them with the lowest byte first. A term of a text of 200 words takes some six bytes.
 */

export const passagesPerPage = 512;
const termsPerBucket = 8;
const mostBuckets = 4_096;
/** More of a term than this in one passage counts as this. */
const mostCounted = 4;
const headerLength = 8;
const hashLength = 3;

interface Held {
  /** Ascending. */
  readonly passages: number[];
  readonly counts: number[];
}

const hold = (held: Held, passage: number, times: number): void => {
  const last = held.passages.length - 1;
  if (held.passages[last] === passage) held.counts[last] = (held.counts[last] as number) + times;
  else {
    held.passages.push(passage);
    held.counts.push(times);
  }
};

/** Packs passages as they come. */
export class PassagePages {
  private readonly terms = new Map<string, Held>();
  private start = 0;
  private ends: number[] = [];

  /** @param everywhere how often terms stand in what belongs to every passage. */
  constructor(private readonly everywhere: ReadonlyMap<string, number>) {}

  /** Begins the next passage. Returns the page before, where that one is full. */
  begin(start: number, end: number): Uint8Array | null {
    const page = this.ends.length === passagesPerPage ? this.finish() : null;
    if (this.ends.length === 0) this.beginPage(start);
    this.ends.push(end);
    return page;
  }

  /** Counts a term in the passage that was begun last. */
  add(term: string): void {
    hold(this.heldOf(term), this.ends.length, 1);
  }

  /** The same, unless the passage holds it already. */
  addMissing(term: string): void {
    const held = this.heldOf(term);
    if (held.passages.at(-1) !== this.ends.length) hold(held, this.ends.length, 1);
  }

  /** The last page; null where no passage is left. */
  finish(): Uint8Array | null {
    if (this.ends.length === 0) return null;
    const page = packed(this.start, this.ends, this.terms);
    this.ends = [];
    this.terms.clear();
    return page;
  }

  private beginPage(start: number): void {
    this.start = start;
    for (const [term, times] of this.everywhere) hold(this.heldOf(term), 0, times);
  }

  private heldOf(term: string): Held {
    let held = this.terms.get(term);
    if (held === undefined) this.terms.set(term, (held = { passages: [], counts: [] }));
    return held;
  }
}

function packed(start: number, ends: readonly number[], terms: ReadonlyMap<string, Held>): Uint8Array {
  const buckets = bucketsFor(terms.size);
  const entries = Array.from({ length: buckets }, (): number[] => []);
  for (const [term, held] of terms) {
    const hash = termHash(term);
    writeEntry(entries[hash & (buckets - 1)] as number[], hash, held);
  }
  const head = headerLength + ends.length * 4 + (buckets + 1) * 4;
  const length = entries.reduce((sum, { length: bytes }) => sum + bytes, head);
  const page = new Uint8Array(length);
  const view = new DataView(page.buffer);
  view.setUint16(0, ends.length, true);
  view.setUint16(2, buckets, true);
  view.setUint32(4, start, true);
  ends.forEach((end, index) => view.setUint32(headerLength + index * 4, end, true));
  const bucketsAt = headerLength + ends.length * 4;
  let at = 0;
  entries.forEach((entry, bucket) => {
    view.setUint32(bucketsAt + bucket * 4, at, true);
    page.set(entry, head + at);
    at += entry.length;
  });
  view.setUint32(bucketsAt + buckets * 4, at, true);
  return page;
}

function bucketsFor(terms: number): number {
  let buckets = 1;
  while (buckets * termsPerBucket < terms && buckets < mostBuckets) buckets *= 2;
  return buckets;
}

function writeEntry(bytes: number[], hash: number, { passages, counts }: Held): void {
  const list: number[] = [];
  let before = 0;
  passages.forEach((passage, index) => {
    const times = Math.min(mostCounted, counts[index] as number);
    writeNumber(list, (passage - before) * mostCounted + times - 1);
    before = passage;
  });
  const tag = hash >>> 8;
  bytes.push(tag & 255, (tag >>> 8) & 255, tag >>> 16);
  writeNumber(bytes, list.length);
  for (const byte of list) bytes.push(byte);
}

function writeNumber(bytes: number[], value: number): void {
  let left = value;
  for (; left > 127; left >>>= 7) bytes.push((left & 127) | 128);
  bytes.push(left);
}

/** Reads a page. */
export class PassagePage {
  readonly passages: number;
  private readonly view: DataView;
  private readonly buckets: number;
  private readonly bucketsAt: number;
  private readonly entriesAt: number;

  constructor(private readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.passages = this.view.getUint16(0, true);
    this.buckets = this.view.getUint16(2, true);
    this.bucketsAt = headerLength + this.passages * 4;
    this.entriesAt = this.bucketsAt + (this.buckets + 1) * 4;
  }

  /** Where a passage stands in the text, in UTF-16 units; passages are numbered from 1. */
  rangeOf(passage: number): { readonly start: number; readonly end: number } {
    const start = passage === 1 ? 4 : headerLength + (passage - 2) * 4;
    return {
      start: this.view.getUint32(start, true),
      end: this.view.getUint32(headerLength + (passage - 1) * 4, true),
    };
  }

  /** Visits the passages that hold a term, in ascending order; first 0 where title or properties hold it. */
  visit(term: string, see: (passage: number, times: number) => void): void {
    const hash = termHash(term);
    const bucket = hash & (this.buckets - 1);
    const end = this.entriesAt + this.view.getUint32(this.bucketsAt + (bucket + 1) * 4, true);
    let at = this.entriesAt + this.view.getUint32(this.bucketsAt + bucket * 4, true);
    const tag = hash >>> 8;
    while (at < end) {
      const isIt = this.tagAt(at) === tag;
      const [length, listAt] = this.numberAt(at + hashLength);
      if (isIt) return this.visitList(listAt, listAt + length, see);
      at = listAt + length;
    }
  }

  private visitList(from: number, to: number, see: (passage: number, times: number) => void): void {
    let passage = 0;
    for (let at = from; at < to;) {
      const [value, next] = this.numberAt(at);
      passage += Math.floor(value / mostCounted);
      see(passage, (value % mostCounted) + 1);
      at = next;
    }
  }

  private tagAt(at: number): number {
    const { bytes } = this;
    return (bytes[at] as number) | ((bytes[at + 1] as number) << 8) | ((bytes[at + 2] as number) << 16);
  }

  /** A number, and where what follows it begins. */
  private numberAt(from: number): readonly [number, number] {
    let value = 0;
    let at = from;
    for (let shift = 0; ; shift += 7) {
      const byte = this.bytes[at++] as number;
      value |= (byte & 127) << shift;
      if (byte < 128) return [value, at];
    }
  }
}

/** 32 bits that tell terms apart: FNV-1a, mixed so that all of the bits do. */
export function termHash(term: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < term.length; index += 1) hash = Math.imul(hash ^ term.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
