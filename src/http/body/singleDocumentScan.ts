const quote = 0x22;
const backslash = 0x5c;
const lowerU = 0x75;
const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const hexDigits = 4;
/** Longer keys are none of ours. */
const longestKey = 64;
/** Where the binary of a single document stands. */
const binaryPath = "documents body binary_base64";

/** A text of the JSON that is being read. */
interface OpenText {
  readonly isKey: boolean;
  key: string;
  length: number;
}

/**
 * Follows the JSON of a body piece by piece, and holds none of it: whether it has the form of one document, and how long
 * that one's binary is. For bodies that are refused in any case, so nothing is checked. A key that is written with
 * escapes is not known.
 */
export class SingleDocumentScan {
  private endedBinaryLength = 0;
  /** False once it is known that the body is no single document. */
  isSingle = true;
  /** Of each open container the key that was read last; null: an array. */
  private readonly keys: (string | null)[] = [];
  private keyIsNext = false;
  private text: OpenText | null = null;
  private isEscaped = false;

  /** Characters of the binary's Base64, as far as it has come. */
  get binaryLength(): number {
    return this.text !== null && this.isBinary(this.text) ? this.text.length : this.endedBinaryLength;
  }

  add(piece: Buffer): void {
    const quotes = new NextByte(piece, quote);
    const backslashes = new NextByte(piece, backslash);
    for (let at = 0; at < piece.length && this.isSingle;) {
      if (this.text === null) this.step(piece[at++] ?? 0);
      else if (this.isEscaped) this.unescape(this.text, piece[at++] ?? 0);
      else at = this.read(this.text, piece, at, Math.min(quotes.from(at), backslashes.from(at)));
    }
  }

  private step(byte: number): void {
    if (byte === quote) this.text = { isKey: this.keyIsNext, key: "", length: 0 };
    else if (byte === comma) this.keyIsNext = this.keys.at(-1) !== null;
    else if (byte === openBrace || byte === openBracket) this.open(byte === openBrace);
    else if (byte === closeBrace || byte === closeBracket) this.close();
  }

  private open(isObject: boolean): void {
    const isForm = this.keys.length === 0 || (this.keys.length === 1 && this.keys[0] === "documents");
    if (isForm && !isObject) this.isSingle = false;
    this.keys.push(isObject ? "" : null);
    this.keyIsNext = isObject;
  }

  private close(): void {
    this.keys.pop();
    this.keyIsNext = false;
  }

  /** Reads on in a text, up to its end, an escape, or the end of the piece. */
  private read(text: OpenText, piece: Buffer, from: number, stop: number): number {
    text.length += stop - from;
    if (text.isKey && text.length <= longestKey) text.key += piece.toString("latin1", from, stop);
    if (stop === piece.length) return stop;
    if (piece[stop] === backslash) this.isEscaped = true;
    else this.end(text);
    return stop + 1;
  }

  /** One character, however many bytes write it. */
  private unescape(text: OpenText, byte: number): void {
    this.isEscaped = false;
    text.key = "";
    text.length += byte === lowerU ? 1 - hexDigits : 1;
  }

  private end(text: OpenText): void {
    this.text = null;
    this.keyIsNext = false;
    if (text.isKey) this.keys[this.keys.length - 1] = text.key;
    else if (this.isBinary(text)) this.endedBinaryLength = text.length;
  }

  private isBinary({ isKey }: OpenText): boolean {
    return !isKey && this.keys.length === 3 && this.keys.join(" ") === binaryPath;
  }
}

/** Looks for a byte in a piece that is read from its beginning to its end: however often it is asked, the piece is read once. */
class NextByte {
  private found = -1;

  constructor(
    private readonly piece: Buffer,
    private readonly byte: number,
  ) {}

  /** Where the byte comes next; the piece's length where it does not. */
  from(at: number): number {
    if (this.found >= at) return this.found;
    const found = this.piece.indexOf(this.byte, at);
    this.found = found === -1 ? this.piece.length : found;
    return this.found;
  }
}
