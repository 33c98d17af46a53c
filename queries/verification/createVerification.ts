import { mayBeLeftOut, type ReadModelName } from "../../src/events/projection.js";
import type { ParkedEvent } from "../../src/readModels/parkedEvent.js";
import type { Position } from "../../src/shared/position.js";
import type { PrincipalTokens } from "../../src/shared/principalTokens.js";
import { failed, ok } from "../../src/shared/result.js";
import type { Projected } from "../ports.js";
import { compareReadModels, ReadersBehind, type ComparisonReport } from "./compareReadModels.js";
import type { Difference, Drift } from "./differences.js";
import type { ComparedReaders, LogSource } from "./ports.js";
import { portionsOf, repairSteps } from "./repairSteps.js";
import { keyOf } from "./subjects.js";
import type { DifferenceAnswer, DriftAnswer, ParkedEventAnswer, RequestRepair, Verification, VerificationAnswer, VerificationWatch, VerifyReadModel } from "./verification.js";

export interface VerificationServices {
  readonly log: LogSource;
  readonly tokens: PrincipalTokens;
  /** Readers of what is served now. */
  readonly served: Required<ComparedReaders>;
  /** Which versions of a projection there are. */
  versionsOf(name: string): ComparableVersions;
  /** Opens the reader of a version that is not served. */
  open(name: ReadModelName, version: number): Promise<{ readonly readers: ComparedReaders; close(): Promise<void> | void }>;
  parked(name: string): Promise<readonly ParkedEvent[]>;
  /** Waited for after each batch of a comparison, so that requests get their turn. */
  rest(): Promise<void>;
  /** How long readers may take to come as far as the log, and a repair to be made. */
  readonly patienceMs: { readonly reach: number; readonly repair: number };
}

export interface ComparableVersions {
  readonly live: number;
  /** The version that is being built or catches up. */
  readonly underWay: number | null;
  /** Served before; nothing is projected into them. */
  readonly kept: readonly number[];
}

/** Which reader answers for a read model. */
const readerOf: { readonly [Name in ReadModelName]?: keyof ComparedReaders } = {
  search: "search",
  groupClosure: "access",
  catalogue: "catalogue",
  credentials: "credentials",
};

/** Proving that what is served equals what the log says (ADR 13): the log is folded afresh and held against the readers. */
export function createVerification(services: VerificationServices): Verification {
  return {
    verify: (question, repair, watch = {}) => verify(services, question, repair, watch),
    settled: async (name, position) => {
      const reader = readerOf[name as ReadModelName];
      return reader === undefined || services.served[reader].reached(position, services.patienceMs.repair);
    },
    parked: async (name) => ({ projection: name, version: services.versionsOf(name).live, parked: (await services.parked(name)).map((event) => toParkedAnswer(name, event)) }),
  };
}

async function verify(services: VerificationServices, question: VerifyReadModel, repair: RequestRepair | null, watch: VerificationWatch): ReturnType<Verification["verify"]> {
  const { name } = question;
  const reader = readerOf[name as ReadModelName];
  if (reader === undefined) return failed({ type: "NotComparable", projection: name });
  const { live, underWay, kept } = services.versionsOf(name);
  const version = question.version ?? live;
  if (version !== live && version !== underWay) return failed({ type: kept.includes(version) ? "VersionStandsStill" : "VersionNotFound", projection: name, version });
  const opened = version === live ? null : await services.open(name as ReadModelName, version);
  try {
    return ok(await new VerificationRun(services, question, { version, readers: opened?.readers ?? services.served, reader }, watch).answer(repair));
  } catch (error) {
    if (error instanceof ReadersBehind) return failed({ type: "ReadModelBehind", projection: name });
    throw error;
  } finally {
    await opened?.close();
  }
}

/** What is held against the log. */
interface Verified {
  readonly version: number;
  readonly readers: ComparedReaders;
  readonly reader: keyof ComparedReaders;
}

class VerificationRun {
  private readonly readers: ComparedReaders;

  constructor(
    private readonly services: VerificationServices,
    private readonly question: VerifyReadModel,
    private readonly verified: Verified,
    private readonly watch: VerificationWatch,
  ) {
    this.readers = { [verified.reader]: verified.readers[verified.reader] };
  }

  async answer(repair: RequestRepair | null): Promise<VerificationAnswer> {
    const { name, sample, seed } = this.question;
    const { version } = this.verified;
    const found = await this.compare(null);
    const request = async (scopes: readonly string[]): Promise<void> => {
      if (repair !== null && scopes.length > 0) await this.settled(await repair(version, scopes));
    };
    if (repair !== null) await request(await this.closedForNothing(found));
    const remaining = repair === null ? null : await this.repaired(found.drift, request);
    return {
      projection: name,
      version,
      position: found.position.toString(),
      sample,
      seed,
      compared: Object.values(found.compared).reduce((sum, count) => sum + count, 0),
      drift: found.drift.map(toDriftAnswer),
      unsettled: found.unsettled.map(keyOf),
      suspended: found.suspended.map((datasource) => datasource.name),
      complete: found.complete,
      remaining: remaining?.map(toDriftAnswer) ?? null,
    };
  }

  private compare(only: readonly Drift[] | null): Promise<ComparisonReport> {
    const { log, tokens, rest, patienceMs } = this.services;
    const { sample, seed } = this.question;
    const { onProgress, signal } = this.watch;
    return compareReadModels({
      log, tokens, rest, signal, sample: { part: sample, seed }, served: this.readers, limits: { reachMs: patienceMs.reach },
      ...(onProgress !== undefined && { onProgress: ({ compared, done }) => onProgress({ compared, done }) }),
      ...(only !== null && { only: new Set(only.map(({ subject }) => keyOf(subject))) }),
    });
  }

  /** Datasources that answer nobody although no event of them is parked. */
  private async closedForNothing({ suspended }: ComparisonReport): Promise<readonly string[]> {
    const parked = new Set((await this.services.parked(this.question.name)).map(({ scope }) => scope));
    return suspended.map(({ datasourceId }) => `datasource ${datasourceId}`).filter((scope) => !parked.has(scope));
  }

  /** What is still otherwise after every step. */
  private async repaired(drift: readonly Drift[], request: (scopes: readonly string[]) => Promise<void>): Promise<readonly Drift[]> {
    let left = drift;
    for (const step of repairSteps) {
      const portions = portionsOf(left, step);
      if (portions.length === 0) continue;
      for (const scopes of portions) await request(scopes);
      left = (await this.compare(left)).drift;
      if (left.length === 0) break;
    }
    return left;
  }

  private async settled(position: Position): Promise<void> {
    const reader: Projected | undefined = this.readers[this.verified.reader];
    const reached = reader?.reached(position, this.services.patienceMs.repair) ?? false;
    if (!(await orAborted(reached, this.watch.signal))) throw new ReadersBehind(position, this.services.patienceMs.repair);
  }
}

/** A wait that ends with the signal's reason. */
function orAborted<Value>(waited: Promise<Value> | Value, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return Promise.resolve(waited);
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    Promise.resolve(waited).then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

const toDriftAnswer = ({ subject, differences }: Drift): DriftAnswer => ({ kind: subject.kind, subject: keyOf(subject), differences: differences.map(toDifferenceAnswer) });

const toDifferenceAnswer = (difference: Difference): DifferenceAnswer =>
  "missing" in difference ? { aspect: difference.aspect, missing: [...difference.missing], extra: [...difference.extra] } : { ...difference };

const toParkedAnswer = (projection: string, { position, stream, eventType, scope, error }: ParkedEvent): ParkedEventAnswer => ({
  position: position.toString(),
  stream,
  event: eventType,
  scope,
  error,
  may_be_discarded: (mayBeLeftOut as Readonly<Record<string, readonly string[]>>)[projection]?.includes(eventType) ?? false,
});
