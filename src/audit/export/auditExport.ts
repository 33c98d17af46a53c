import { createPublicKey } from "node:crypto";
import { beginning, type Position } from "../../shared/position.js";
import { failed, ok } from "../../shared/result.js";
import type { QueryResult } from "../../../queries/queries.js";
import { resolveMoment, type MomentServices } from "../asOf/moment.js";
import type { Moment } from "../auditQueries.js";
import {
  keyFingerprint,
  chainStart,
  factLine,
  headerLine,
  headLine,
  type ChainState,
  type SealedLine,
} from "./lines.js";
import type { LogFact, LogFacts } from "./logComparison.js";
import type { ExportSigner, PermissionLog } from "../ports/export.js";
import { exportedFactsOf, type PermissionEvent } from "./exportedFacts.js";
import type { RecordedEvent } from "../../events/domainEvent.js";
import { type EventSource, readUpTo } from "../../events/eventSource.js";
import { permissionCategories } from "../../events/streams.js";

/** What to export: the facts of the log as of `to` that are not among those as of `from`. */
export interface ExportRequest {
  /** null: from the beginning. */
  readonly from: Moment | null;
  readonly to: Moment;
}

/** An export that has been begun. */
interface OpenedExport {
  /** Exclusive. */
  readonly fromPosition: Position;
  /** Inclusive. */
  readonly toPosition: Position;
  /** Can be read once. Throws where the log cannot be read, or the signal aborts. */
  readonly chunks: AsyncIterable<ExportChunk>;
}

/** The key with which exports are verified, as it leaves the service. */
export interface PublicKeyAnswer {
  algorithm: "Ed25519";
  /** People compare keys by it. */
  fingerprint: string;
  /** SubjectPublicKeyInfo in PEM. */
  public_key: string;
}

/** Exports of permission facts, and what it takes to verify them. */
export interface AuditExport {
  open(request: ExportRequest, signal: AbortSignal): QueryResult<OpenedExport>;
  /** The public half of the signing key, which is made where there is none yet. */
  publicKey(): Promise<PublicKeyAnswer>;
  /**
   * The facts of a range as the log holds them, to hold an export against. A log that ends before the range has fewer.
   */
  facts(range: Pick<OpenedExport, "fromPosition" | "toPosition">, signal: AbortSignal): LogFacts;
}

interface AuditExportOptions extends Omit<MomentServices, "log"> {
  readonly log: PermissionLog;
  readonly namespace: string;
  signer(): Promise<ExportSigner>;
}

/**
 * Makes exports from the log. `from` and `to` name prefixes of it, so an export up to a moment and one from it on fit
 * together.
 */
export function createAuditExport(options: AuditExportOptions): AuditExport {
  const { log, namespace, signer, now } = options;
  return {
    open: async ({ from, to }, signal) => {
      const start = from === null ? ok({ position: beginning }) : await resolveMoment(from, options, "from");
      if (!start.ok) return start;
      const end = await resolveMoment(to, options, "to");
      if (!end.ok) return end;
      const range = {
        from: textOf(from),
        to: textOf(to),
        fromPosition: start.value.position,
        toPosition: end.value.position,
      };
      if (range.fromPosition > range.toPosition) return failed({ type: "ExportRangeReversed" });
      return ok({ ...range, chunks: exportFacts({ log, namespace, signer: await signer(), now }, range, signal) });
    },
    publicKey: async () => describeKey((await signer()).publicKey),
    facts: (range, signal) => factsOf(log, namespace, range, signal),
  };
}

/** The moment as the header of an export tells it. */
function textOf(moment: Moment | null): string | null {
  if (moment === null || moment.kind === "now") return null;
  return moment.kind === "position" ? String(moment.position) : new Date(moment.time).toISOString();
}

const describeKey = (key: Buffer): PublicKeyAnswer => ({
  algorithm: "Ed25519",
  fingerprint: keyFingerprint(key),
  public_key: createPublicKey({ key, format: "der", type: "spki" }).export({ type: "spki", format: "pem" }) as string,
});

async function* factsOf(
  log: PermissionLog,
  namespace: string,
  { fromPosition, toPosition }: Pick<OpenedExport, "fromPosition" | "toPosition">,
  signal: AbortSignal,
): AsyncGenerator<readonly LogFact[], void, void> {
  const head = await log.head();
  const range = { log, namespace, fromPosition, toPosition: toPosition < head ? toPosition : head };
  for await (const { lines, before } of chainedFacts(range, signal)) {
    yield lines.map(({ hash }, index) => ({ n: before.facts + 1 + index, hash }));
  }
}

/** Which facts to export: those after one position, up to and including another. */
export interface ExportRange {
  /** The moments as they were asked for; null where none was given. */
  readonly from: string | null;
  readonly to: string | null;
  readonly fromPosition: Position;
  readonly toPosition: Position;
}

interface ExportOptions {
  readonly log: PermissionLog;
  readonly namespace: string;
  readonly signer: ExportSigner;
  now(): Date;
}

/** Whole lines of an export, each ended by a newline. */
interface ExportChunk {
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
interface ChainedFacts {
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

/** So many take the thread a few milliseconds. */
const eventsAtOnce = 200;

/** The log as exports read it: from the beginning, in its order, to a position and no further. */
export const permissionLogOf = (source: EventSource): PermissionLog => ({
  head: () => source.head(),
  events: async function* (upTo, signal) {
    for await (const { events, position } of readUpTo({
      log: source,
      after: beginning,
      upTo,
      categories: permissionCategories,
      maxBatchSize: eventsAtOnce,
      signal,
    })) {
      const unread = events.find(({ unreadable }) => unreadable !== undefined);
      if (unread?.unreadable !== undefined) throw unread.unreadable.reason;
      // The streams have these categories, so the events have these types.
      yield { events: events as readonly RecordedEvent<PermissionEvent>[], position };
    }
  },
});
