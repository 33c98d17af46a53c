import { createPublicKey } from "node:crypto";
import { beginning, type Position } from "../../shared/position.js";
import { failed, ok } from "../../shared/result.js";
import type { QueryResult } from "../../../queries/queries.js";
import { resolveMoment, type MomentServices } from "../asOf/moment.js";
import type { Moment } from "../auditQueries.js";
import { chainedFacts, exportFacts, type ExportChunk } from "./exportFacts.js";
import { keyFingerprint } from "./keyFingerprint.js";
import type { LogFact, LogFacts } from "./logComparison.js";
import type { ExportSigner, PermissionLog } from "../ports/export.js";

/** What to export: the facts of the log as of `to` that are not among those as of `from`. */
export interface ExportRequest {
  /** null: from the beginning. */
  readonly from: Moment | null;
  readonly to: Moment;
}

/** An export that has been begun. */
export interface OpenedExport {
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

export interface AuditExportOptions extends Omit<MomentServices, "log"> {
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
