const headerBytes = 4;

/** Where a term was found on a page. */
interface TermPlace {
  /** Behind the term: its first row. */
  readonly at: number;
  /** Where its rows end on this page. */
  readonly end: number;
}

/**
 * Reads a page of terms and rows of an FTS5 segment, byte for byte. A page begins with two numbers of two bytes: where
 * the first row is that goes on from the page before (0: none does), and where the list of terms' places begins, which
 * goes to the end of the page. (SQLite, ext/fts5/fts5_index.c: "segment leaf".)
 */
export class Leaf {
  bytes: Uint8Array = new Uint8Array(headerBytes);
  /** The place of the next byte. */
  at = headerBytes;
  /** Where terms and rows end. */
  textEnd = headerBytes;
  /** Where the rows end that go on from the page before. */
  continuedEnd = headerBytes;

  open(bytes: Uint8Array): void {
    this.bytes = bytes;
    this.textEnd = this.twoBytesAt(2);
    this.at = this.textEnd;
    this.continuedEnd = this.textEnd < bytes.length ? this.varint() : this.textEnd;
    this.at = headerBytes;
  }

  /** Whether a term begins on the page. */
  get hasTerms(): boolean {
    return this.textEnd < this.bytes.length;
  }

  /** Where the first row is that goes on from the page before; 0: there is none. */
  get firstContinued(): number {
    return this.twoBytesAt(0);
  }

  /** The next number: seven bits of each byte, and the last one is below 128. */
  varint(): number {
    const { bytes } = this;
    let byte = bytes[this.at++] as number;
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    do {
      byte = bytes[this.at++] as number;
      value = value * 128 + (byte & 0x7f);
    } while (byte >= 0x80);
    return value;
  }

  /** Finds a term; null where it is not on the page. A term shares its first bytes with the one before it. */
  find(term: Uint8Array): TermPlace | null {
    let matched = 0;
    let place = 0;
    for (let listed = this.textEnd; listed < this.bytes.length;) {
      this.at = listed;
      place += this.varint();
      const isFirst = listed === this.textEnd;
      listed = this.at;
      this.at = place;
      const kept = isFirst ? 0 : this.varint();
      if (kept < matched) return null;
      const length = this.varint();
      if (kept > matched) continue;
      const more = this.matching(term, matched, length);
      matched += more;
      if (matched === term.length)
        return more === length ? { at: this.at + length, end: this.endOf(place, listed) } : null;
      if (more < length && (this.bytes[this.at + more] as number) > (term[matched] as number)) return null;
    }
    return null;
  }

  /** How many bytes from here on go on with the term. */
  private matching(term: Uint8Array, from: number, length: number): number {
    const most = Math.min(length, term.length - from);
    let count = 0;
    while (count < most && this.bytes[this.at + count] === term[from + count]) count += 1;
    return count;
  }

  /** Leaves the place where it is. */
  private endOf(place: number, listed: number): number {
    if (listed >= this.bytes.length) return this.textEnd;
    const { at } = this;
    this.at = listed;
    const end = place + this.varint();
    this.at = at;
    return end;
  }

  private twoBytesAt(at: number): number {
    return ((this.bytes[at] as number) << 8) | (this.bytes[at + 1] as number);
  }
}
