import { hash } from "node:crypto";
import type { RecordedEvent } from "../../events/domainEvent.js";
import type { Position } from "../../shared/position.js";
import type { PermissionEvent } from "./exportedFacts.js";

/**
 * The lines of an export. Each is one JSON object without spaces whose last key is `hash`: hex SHA-256 of the line's
 * bytes before `,"hash"`. A fact names the hash of the fact before it, so that the chain over the whole log hangs
 * together; the last line's `signature` is over its bytes before `,"signature"`. The names and the order of the keys
 * are the format.
 */
export const exportFormat = "permission-facts/1";

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
export interface ExportHeader {
  readonly namespace: string;
  /** A time or a position, as it was given; null: from the beginning. */
  readonly from: string | null;
  /** As it was given, a time or a token; null: up to the moment of the export. */
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
  toPosition,
  madeAt,
  before,
}: ExportHeader): SealedLine =>
  seal({
    format: exportFormat,
    namespace,
    from,
    to,
    from_position: String(fromPosition),
    to_position: String(toPosition),
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
export interface ExportHead {
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
  { count, after, toPosition, headerHash, publicKey }: ExportHead,
  sign: (bytes: Buffer) => Buffer,
): string {
  const { text } = seal({
    signed: exportFormat,
    count,
    facts: after.facts,
    position: String(toPosition),
    last: after.hash,
    header: headerHash,
    public_key: publicKey.toString("base64"),
  });
  const signed = text.slice(0, -1);
  return `${signed}${signatureMark}${sign(Buffer.from(signed)).toString("hex")}"}`;
}

export const hashMark = ',"hash":"';
export const signatureMark = ',"signature":"';

function seal(content: object): SealedLine {
  const open = JSON.stringify(content).slice(0, -1);
  const sum = hash("sha256", open);
  return { text: `${open}${hashMark}${sum}"}`, hash: sum };
}
