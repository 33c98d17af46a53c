import { randomUUID } from "node:crypto";
import type { LiftedBinary } from "../messages/documentFaults.js";
import { decodedLength } from "../validation/base64.js";
import { Rope } from "./rope.js";
import { withoutTrailing } from "../../shared/cutText.js";

/** A body without its large binaries: where one was, a name stands that is no Base64. */
export interface LiftedBody {
  readonly json: Buffer;
  readonly binaries: ReadonlyMap<string, LiftedBinary>;
}

/** Smaller ones may be parsed with the rest. */
const leastCharacters = 262_144;
/** Decoded at once: whole groups of four, in strings that are young and soon gone. */
const chunkCharacters = 98_304;

// In valid JSON this is the end of a key that stands alone, whatever came before: a quote in a text is escaped.
const key = Buffer.from('"binary_base64"');
const quote = Buffer.from('"');
const toValue = /^[ \t\r\n]{0,32}:[ \t\r\n]{0,32}"/;
const longestToValue = 66;

/**
 * Decodes large binaries out of a JSON body, of which each would otherwise be held four times, in one line or wrapped.
 * What is no Base64, or written with other escapes than those of line breaks, stays where it is.
 */
export function liftBinaries(blocks: readonly Buffer[], maxBinaryBytes: number): LiftedBody {
  const body = new Rope(blocks);
  const binaries = new Map<string, LiftedBinary>();
  const kept: Buffer[] = [];
  let keptTo = 0;
  for (let at = body.indexOf(key, 0); at !== -1; at = body.indexOf(key, at)) {
    at += key.length;
    const range = valueAt(body, at);
    if (range === null) continue;
    at = range.to;
    const binary = range.to - range.from < leastCharacters ? null : decode(body, range, maxBinaryBytes);
    if (binary === null) continue;
    const name = `=${randomUUID()}`;
    binaries.set(name, binary);
    kept.push(...body.pieces(keptTo, range.from), Buffer.from(name));
    keptTo = range.to;
  }
  kept.push(...body.pieces(keptTo, body.length));
  return { json: Buffer.concat(kept), binaries };
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** Where the text begins and ends that follows a key; null where none does. */
function valueAt(body: Rope, afterKey: number): Range | null {
  const between = toValue.exec(body.slice(afterKey, afterKey + longestToValue).toString("latin1"))?.[0];
  if (between === undefined) return null;
  const from = afterKey + between.length;
  const to = body.indexOf(quote, from);
  return to === -1 ? null : { from, to };
}

/** null: it is no Base64. One that is too large is looked at, and not kept. */
function decode(body: Rope, { from, to }: Range, maxBinaryBytes: number): LiftedBinary | null {
  const expected = lengthBetween(body, from, to);
  if (expected === null) return null;
  // Exactly as long as the file: memory of its own can be given away.
  const bytes = expected > maxBinaryBytes ? null : Buffer.allocUnsafeSlow(expected);
  let length = 0;
  for (const chunk of chunks(body, from, to)) {
    const decoded = decodedLength(chunk);
    const isBehindPadding = length % 3 !== 0;
    if (decoded === undefined || isBehindPadding) return null;
    bytes?.write(chunk, length, "base64");
    length += decoded;
  }
  return { length, bytes };
}

const backslash = 0x5c;
/** What line breaks are written with in JSON: `\r`, `\n`. */
const lineBreaks: ReadonlySet<number | undefined> = new Set([0x72, 0x6e]);

/** How many bytes a text decodes to, if it is Base64; null where it cannot be: it holds other escapes, or a part of a group. */
function lengthBetween(body: Rope, from: number, to: number): number | null {
  let characters = 0;
  let end = "";
  for (const line of linesOf(body, from, to)) {
    if (line === null) return null;
    characters += line.length;
    end = (end + line.toString("latin1", Math.max(0, line.length - 2))).slice(-2);
  }
  const padding = end.length - withoutTrailing(end, "=").length;
  return characters % 4 === 0 ? (characters / 4) * 3 - padding : null;
}

/** The pieces of a text without its line breaks; null at another escape, which ends them. */
function* linesOf(body: Rope, from: number, to: number): Generator<Buffer | null> {
  let isEscaped = false;
  for (const piece of body.pieces(from, to)) {
    let at = 0;
    while (at < piece.length) {
      if (isEscaped && !lineBreaks.has(piece[at])) return void (yield null);
      if (isEscaped) at += 1;
      const found = piece.indexOf(backslash, at);
      const end = found === -1 ? piece.length : found;
      if (end > at) yield piece.subarray(at, end);
      isEscaped = found !== -1;
      at = end + 1;
    }
  }
}

function* chunks(body: Rope, from: number, to: number): Generator<string> {
  const chunk = Buffer.allocUnsafe(chunkCharacters);
  let filled = 0;
  for (const line of linesOf(body, from, to)) {
    const { length } = line ?? [];
    for (let at = 0; at < length;) {
      const copied = line?.copy(chunk, filled, at) ?? 0;
      at += copied;
      filled += copied;
      if (filled < chunk.length) continue;
      yield chunk.toString("latin1");
      filled = 0;
    }
  }
  if (filled > 0) yield chunk.toString("latin1", 0, filled);
}
