import { beginning, type Position } from "../../shared/position.js";
import { chainStart, factLine, headerLine, headLine, type ChainState, type SealedLine } from "./lines.js";
import { exportedFactsOf } from "./exportedFacts.js";
import type { ExportSigner, PermissionLog } from "../ports/export.js";

/** Which facts to export: those after one position, up to and including another. */
export interface ExportRange {
  /** The moments as they were asked for; null where none was given. */
  readonly from: string | null;
  readonly to: string | null;
  readonly fromPosition: Position;
  readonly toPosition: Position;
}

export interface ExportOptions {
  readonly log: PermissionLog;
  readonly namespace: string;
  readonly signer: ExportSigner;
  now(): Date;
}

/** Whole lines of an export, each ended by a newline. */
export interface ExportChunk {
  readonly text: string;
  /** Facts that are in the export by now. */
  readonly facts: number;
  /** How far the log has been read. */
  readonly position: Position;
}

/**
 * The export of a range, chunk by chunk: a chunk is made when it is asked for, so nothing but one chunk is held. The
 * log is read from its beginning, since the chain begins there. Throws where the log cannot be read, or where the
 * signal aborts: what has come by then is no export, and a verifier says so.
 */
export async function* exportFacts(
  options: ExportOptions,
  range: ExportRange,
  signal: AbortSignal,
): AsyncGenerator<ExportChunk, void, void> {
  const { log, namespace, signer } = options;
  const { fromPosition, toPosition } = range;
  let chain = chainStart(namespace);
  let begun: BegunExport | null = null;
  for await (const { lines, position, before, after } of chainedFacts(
    { log, namespace, fromPosition, toPosition },
    signal,
  )) {
    chain = after;
    const isFirst = begun === null && position > fromPosition;
    if (isFirst) begun = beginExport(options, range, before);
    const texts = isFirst && begun !== null ? [begun.header, ...lines] : lines;
    yield { text: linesOf(texts), facts: begun === null ? 0 : chain.facts - begun.before.facts, position };
  }
  const isEmpty = begun === null;
  const { header, before } = begun ?? beginExport(options, range, chain);
  const count = chain.facts - before.facts;
  const head = headLine(
    { count, after: chain, toPosition, headerHash: header.hash, publicKey: signer.publicKey },
    (bytes) => signer.sign(bytes),
  );
  yield { text: `${linesOf(isEmpty ? [header] : [])}${head}\n`, facts: count, position: toPosition };
}

interface BegunExport {
  readonly header: SealedLine;
  /** The chain before its first fact. */
  readonly before: ChainState;
}

const beginExport = ({ namespace, now }: ExportOptions, range: ExportRange, before: ChainState): BegunExport => ({
  header: headerLine({ ...range, namespace, madeAt: now().toISOString(), before }),
  before,
});

const linesOf = (lines: readonly SealedLine[]): string => lines.map(({ text }) => `${text}\n`).join("");

interface ChainedRange {
  readonly log: PermissionLog;
  readonly namespace: string;
  readonly fromPosition: Position;
  readonly toPosition: Position;
}

/** A stretch of the chain. */
export interface ChainedFacts {
  /** The facts of the range. */
  readonly lines: readonly SealedLine[];
  readonly position: Position;
  /** The chain before the first of `lines`; where there are none, after everything so far. */
  readonly before: ChainState;
  readonly after: ChainState;
}

/** Every fact of a range as a line of the chain over the whole log. Throws where the signal aborts. */
export async function* chainedFacts(
  { log, namespace, fromPosition, toPosition }: ChainedRange,
  signal: AbortSignal,
): AsyncGenerator<ChainedFacts, void, void> {
  let chain = chainStart(namespace);
  if (toPosition === beginning) return;
  for await (const { events, position } of log.events(toPosition, signal)) {
    let before: ChainState | null = null;
    const lines: SealedLine[] = [];
    for (const event of events) {
      const facts = exportedFactsOf(event.event);
      if (facts === null) continue;
      const line = factLine(event, facts, chain);
      if (event.position > fromPosition) {
        before ??= chain;
        lines.push(line);
      }
      chain = { facts: chain.facts + 1, hash: line.hash };
    }
    yield { lines, position, before: before ?? chain, after: chain };
  }
}
