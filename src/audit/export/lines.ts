import { hash } from "node:crypto";
import type { RecordedEvent } from "../../events/domainEvent.js";
import { type Position, toPosition } from "../../shared/position.js";
import type { PermissionEvent } from "./exportedFacts.js";

/**
 * The lines of an export. Each is one JSON object without spaces whose last key is `hash`: hex SHA-256 of the line's
 * bytes before `,"hash"`. A fact names the hash of the fact before it, so that the chain over the whole log hangs
 * together; the last line's `signature` is over its bytes before `,"signature"`. The names and the order of the keys
 * are the format.
 */
const exportFormat = "permission-facts/1";

/** The end of the chain so far: how many facts it has, and the hash of the last one. */
export interface ChainState {
  readonly facts: number;
  readonly hash: string;
}

/** The chain before the first fact of a namespace's log. */
export const chainStart = (namespace: string): ChainState => ({
  facts: 0,
  hash: hash("sha256", `${exportFormat}\n${namespace}`),
});

/** What the first line says of an export. */
interface ExportHeader {
  readonly namespace: string;
  /** A time or a position, as it was given; null: from the beginning. */
  readonly from: string | null;
  /** The end as it was given, a time or a token; null: up to the moment of the export. */
  readonly to: string | null;
  /** Facts up to and including this position are not in it. */
  readonly fromPosition: Position;
  /** Facts up to and including this position are in it. */
  readonly toPosition: Position;
  /** ISO instant. */
  readonly madeAt: string;
  /** The chain before the first fact that is in it. */
  readonly before: ChainState;
}

/** A line, and the hash by which others refer to it. */
export interface SealedLine {
  readonly text: string;
  readonly hash: string;
}

/** The first line. */
export const headerLine = ({
  namespace,
  from,
  to,
  fromPosition,
  toPosition: lastPosition,
  madeAt,
  before,
}: ExportHeader): SealedLine =>
  seal({
    format: exportFormat,
    namespace,
    from,
    to,
    from_position: String(fromPosition),
    to_position: String(lastPosition),
    made_at: madeAt,
    facts_before: before.facts,
    previous: before.hash,
  });

/** One fact, the next of the chain. */
export const factLine = (
  { position, stream, revision, event, metadata }: RecordedEvent<PermissionEvent>,
  facts: object,
  before: ChainState,
): SealedLine =>
  seal({
    n: before.facts + 1,
    position: String(position),
    stream,
    revision,
    type: event.type,
    time: metadata.at,
    by: metadata.by,
    facts,
    previous: before.hash,
  });

/** What the last line signs. */
interface ExportHead {
  /** How many facts this export has. */
  readonly count: number;
  /** The chain after the last fact. */
  readonly after: ChainState;
  readonly toPosition: Position;
  readonly headerHash: string;
  /** SubjectPublicKeyInfo, DER. */
  readonly publicKey: Buffer;
}

/** The last line. */
export function headLine(
  { count, after, toPosition: lastPosition, headerHash, publicKey }: ExportHead,
  sign: (bytes: Buffer) => Buffer,
): string {
  const { text } = seal({
    signed: exportFormat,
    count,
    facts: after.facts,
    position: String(lastPosition),
    last: after.hash,
    header: headerHash,
    public_key: publicKey.toString("base64"),
  });
  const signed = text.slice(0, -1);
  return `${signed}${signatureMark}${sign(Buffer.from(signed)).toString("hex")}"}`;
}

const hashMark = ',"hash":"';
const signatureMark = ',"signature":"';

function seal(content: object): SealedLine {
  const open = JSON.stringify(content).slice(0, -1);
  const sum = hash("sha256", open);
  return { text: `${open}${hashMark}${sum}"}`, hash: sum };
}

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

const newline = 0x0a;
/** No line of an export can be longer: it would not fit into a string. */
const longestLine = 256 * 1024 * 1024;

/** A line of a file, without its newline. */
export interface FileLine {
  /** From 1. */
  readonly number: number;
  readonly bytes: Buffer;
  /** False for the last line of a file that does not end with a newline. */
  readonly isEnded: boolean;
}

/**
 * Cuts bytes into lines as they come: no more is held than one line and one chunk. A longer line than any export has is
 * cut.
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<FileLine, void, void> {
  let number = 0;
  let parts: Buffer[] = [];
  let held = 0;
  const take = (last: Buffer, isEnded: boolean): FileLine => {
    const bytes = parts.length === 0 ? last : Buffer.concat([...parts, last]);
    parts = [];
    held = 0;
    return { number: ++number, bytes, isEnded };
  };
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = 0;
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
      yield take(bytes.subarray(start, end), true);
      start = end + 1;
    }
    const rest = bytes.subarray(start);
    if (held + rest.length > longestLine) {
      yield take(rest, false);
    } else if (rest.length > 0) {
      parts.push(rest);
      held += rest.length;
    }
  }
  if (held > 0) yield take(Buffer.alloc(0), false);
}

/**
 * What people compare keys by: the first 32 hex digits of the SHA-256 of the key's SubjectPublicKeyInfo (DER), in
 * groups of four.
 */
export const keyFingerprint = (publicKey: Buffer): string =>
  hash("sha256", publicKey)
    .slice(0, 32)
    .replace(/(.{4})(?=.)/g, "$1-");
