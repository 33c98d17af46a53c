import { hash } from "node:crypto";
import { toPosition, type Position } from "../../shared/position.js";
import { exportFormat, hashMark, signatureMark, type ChainState } from "./lines.js";

/** A line whose bytes are those that its hash is over. */
export type IntactLine = IntactHeader | IntactFact | IntactHead;

export interface IntactHeader {
  readonly kind: "header";
  readonly hash: string;
  readonly namespace: string;
  readonly fromPosition: Position;
  readonly toPosition: Position;
  readonly before: ChainState;
}

export interface IntactFact {
  readonly kind: "fact";
  readonly hash: string;
  /** Its number in the chain, from 1. */
  readonly n: number;
  readonly position: Position;
  readonly previous: string;
}

export interface IntactHead {
  readonly kind: "head";
  readonly count: number;
  readonly after: ChainState;
  readonly toPosition: Position;
  readonly headerHash: string;
  /** SubjectPublicKeyInfo, DER. */
  readonly publicKey: Buffer;
  readonly signed: Buffer;
  readonly signature: Buffer;
}

const hashEnd = /^[0-9a-f]{64}"$/;
const signatureEnd = /^[0-9a-f]{128}"$/;
const hashLength = hashMark.length + 65;
const signatureLength = signatureMark.length + 129;

/** Reads a line; null where it is not, byte for byte, as an export writes it. */
export function parseLine(bytes: Buffer): IntactLine | null {
  if (bytes.at(-1) !== 0x7d) return null;
  const body = bytes.subarray(0, -1);
  const signatureAt = bytes.length - 1 - signatureLength;
  const isSigned =
    signatureAt > 0 && body.toString("latin1", signatureAt, signatureAt + signatureMark.length) === signatureMark;
  const signed = isSigned ? body.subarray(0, signatureAt) : body;
  const signature = isSigned ? body.toString("latin1", signatureAt + signatureMark.length) : null;
  if (signature !== null && !signatureEnd.test(signature)) return null;
  const hashAt = signed.length - hashLength;
  if (hashAt <= 0 || signed.toString("latin1", hashAt, hashAt + hashMark.length) !== hashMark) return null;
  const sum = signed.toString("latin1", hashAt + hashMark.length);
  const content = signed.subarray(0, hashAt);
  if (!hashEnd.test(sum) || `${hash("sha256", content)}"` !== sum) return null;
  return interpret(
    content,
    sum.slice(0, -1),
    signature === null ? null : { signed, signature: Buffer.from(signature.slice(0, -1), "hex") },
  );
}

type Content = Readonly<Record<string, unknown>>;

/** Never throws: what a forger has sealed is none of our lines. */
function interpret(
  bytes: Buffer,
  sum: string,
  end: { readonly signed: Buffer; readonly signature: Buffer } | null,
): IntactLine | null {
  try {
    const content = JSON.parse(`${bytes.toString()}}`) as Content;
    if (end !== null) return content["signed"] === exportFormat ? toHead(content, end) : null;
    if (content["format"] === exportFormat) return toHeader(content, sum);
    return content["n"] === undefined ? null : toFact(content, sum);
  } catch {
    return null;
  }
}

const toHeader = (content: Content, sum: string): IntactHeader => ({
  kind: "header",
  hash: sum,
  namespace: textIn(content, "namespace"),
  fromPosition: positionIn(content, "from_position"),
  toPosition: positionIn(content, "to_position"),
  before: { facts: countIn(content, "facts_before"), hash: textIn(content, "previous") },
});

const toFact = (content: Content, sum: string): IntactFact => ({
  kind: "fact",
  hash: sum,
  n: countIn(content, "n"),
  position: positionIn(content, "position"),
  previous: textIn(content, "previous"),
});

const toHead = (content: Content, end: { readonly signed: Buffer; readonly signature: Buffer }): IntactHead => ({
  kind: "head",
  count: countIn(content, "count"),
  after: { facts: countIn(content, "facts"), hash: textIn(content, "last") },
  toPosition: positionIn(content, "position"),
  headerHash: textIn(content, "header"),
  publicKey: Buffer.from(textIn(content, "public_key"), "base64"),
  ...end,
});

function textIn(content: Content, key: string): string {
  const value = content[key];
  if (typeof value !== "string") throw new TypeError(`${key} is no text.`);
  return value;
}

function countIn(content: Content, key: string): number {
  const value = content[key];
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw new TypeError(`${key} is no count.`);
  return value as number;
}

function positionIn(content: Content, key: string): Position {
  const text = textIn(content, key);
  if (!/^\d{1,20}$/.test(text)) throw new TypeError(`${key} is no position.`);
  return toPosition(BigInt(text));
}
