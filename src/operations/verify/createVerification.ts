import { isDiscardable } from "../../events/discardable.js";
import type { ReadModelName } from "../../events/projection.js";
import type { ParkedEvent } from "../../readModels/parkedEvent.js";
import type { Position } from "../../shared/position.js";
import type { PrincipalTokens } from "../../shared/principalTokens.js";
import { failed, ok } from "../../shared/result.js";
import type { Checkpointed } from "../../../queries/ports.js";
import { ReadersBehind } from "./compareReadModels.js";
import type { Difference } from "./differences.js";
import type { ComparedHistory } from "./history/comparison.js";
import type { ComparedReaders, LogSource } from "./ports.js";
import { proofOfHistory, proofOfReadModel, type Found, type FoundDrift, type Proof } from "./proof.js";
import { portionsOf, repairSteps } from "./repairSteps.js";
import type {
  DifferenceAnswer,
  DriftAnswer,
  ParkedEventAnswer,
  RequestRepair,
  Verification,
  VerificationAnswer,
  VerificationProgress,
  VerificationWatch,
  VerifyReadModel,
} from "./verification.js";

export interface VerificationServices {
  readonly log: LogSource;
  readonly tokens: PrincipalTokens;
  /** Readers of what is served now. */
  readonly served: Required<ComparedReaders>;
  /** Which versions of a projection there are. */
  versionsOf(name: string): ComparableVersions;
  /** Opens the reader of a version that is not served. */
  open(
    name: ServedByReaders,
    version: number,
  ): Promise<{ readonly readers: ComparedReaders; close(): Promise<void> | void }>;
  /** The permission history: any version, and how far the one that is served has come. */
  readonly history: { open(version: number): ComparedHistory & { close(): void }; readonly progress: Checkpointed };
  parked(name: string): Promise<readonly ParkedEvent[]>;
  /** Waited for after each batch of a comparison, so that requests get their turn. */
  rest(): Promise<void>;
  /** How long readers may take to come as far as the log, and a repair to be made. */
  readonly patienceMs: { readonly reach: number; readonly repair: number };
}

type ServedByReaders = Exclude<ReadModelName, "permissionHistory">;

export interface ComparableVersions {
  readonly live: number;
  /** The version that is being built or catches up. */
  readonly underWay: number | null;
  /** Served before; nothing is projected into them. */
  readonly kept: readonly number[];
}

/** Which reader answers for a read model. */
const readerOf: { readonly [Name in ServedByReaders]: keyof ComparedReaders } = {
  search: "search",
  groupClosure: "access",
  catalogue: "catalogue",
  credentials: "credentials",
};

const isServedByReaders = (name: string): name is ServedByReaders => Object.hasOwn(readerOf, name);
const isHistory = (name: string): boolean => name === ("permissionHistory" satisfies ReadModelName);

/**
 * Proving that what is served equals what the log says (ADR 13): the log is folded afresh and held against the readers.
 */
export function createVerification(services: VerificationServices): Verification {
  return {
    verify: (question, repair, watch = {}) => verify(services, question, repair, watch),
    settled: async (name, position) => {
      const progress = isHistory(name)
        ? services.history.progress
        : isServedByReaders(name)
          ? services.served[readerOf[name]]
          : null;
      return progress === null || progress.reached(position, services.patienceMs.repair);
    },
    parked: async (name) => ({
      projection: name,
      version: services.versionsOf(name).live,
      parked: (await services.parked(name)).map((event) => toParkedAnswer(name, event)),
    }),
  };
}

async function verify(
  services: VerificationServices,
  question: VerifyReadModel,
  repair: RequestRepair | null,
  watch: VerificationWatch,
): ReturnType<Verification["verify"]> {
  const { name } = question;
  if (!isHistory(name) && !isServedByReaders(name)) return failed({ type: "NotComparable", projection: name });
  const { live, underWay, kept } = services.versionsOf(name);
  const version = question.version ?? live;
  if (version !== live && version !== underWay)
    return failed({
      type: kept.includes(version) ? "VersionStandsStill" : "VersionNotFound",
      projection: name,
      version,
    });
  const proving: Proving = { question, version, isLive: version === live, watch };
  const { proof, close } = isServedByReaders(name)
    ? await openReadModelProof(services, name, proving)
    : openHistoryProof(services, proving);
  try {
    return ok(await new VerificationRun(services, proving, proof).answer(repair));
  } catch (error) {
    if (error instanceof ReadersBehind) return failed({ type: "ReadModelBehind", projection: name });
    throw error;
  } finally {
    await close();
  }
}

/** What is held against the log, and who looks on. */
interface Proving {
  readonly question: VerifyReadModel;
  readonly version: number;
  readonly isLive: boolean;
  readonly watch: VerificationWatch;
}

interface OpenedProof {
  readonly proof: Proof;
  close(): Promise<void> | void;
}

const lookOf = (
  { log, rest, patienceMs }: VerificationServices,
  { question: { sample, seed }, watch: { onProgress, signal } }: Proving,
) => ({
  ...{ log, rest, signal, sample: { part: sample, seed }, limits: { reachMs: patienceMs.reach } },
  ...(onProgress !== undefined && {
    onProgress: ({ compared, done }: VerificationProgress) => onProgress({ compared, done }),
  }),
});

async function openReadModelProof(
  services: VerificationServices,
  name: ServedByReaders,
  proving: Proving,
): Promise<OpenedProof> {
  const opened = proving.isLive ? null : await services.open(name, proving.version);
  const reader = readerOf[name];
  const readers = opened?.readers ?? services.served;
  const proof = proofOfReadModel(
    { ...lookOf(services, proving), tokens: services.tokens, served: { [reader]: readers[reader] } },
    readers[reader] ?? services.served[reader],
  );
  return { proof, close: () => opened?.close() };
}

function openHistoryProof(services: VerificationServices, proving: Proving): OpenedProof {
  const history = services.history.open(proving.version);
  // The version that is served may be superseded meanwhile; that it stands still then is no reason to wait.
  const progress = proving.isLive ? services.history.progress : history.clock;
  return { proof: proofOfHistory(lookOf(services, proving), history, progress), close: () => history.close() };
}

class VerificationRun {
  constructor(
    private readonly services: VerificationServices,
    private readonly proving: Proving,
    private readonly proof: Proof,
  ) {}

  async answer(repair: RequestRepair | null): Promise<VerificationAnswer> {
    const {
      question: { name, sample, seed },
      version,
    } = this.proving;
    const found = await this.proof.look(null);
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
      compared: found.compared,
      drift: found.drift.map(toDriftAnswer),
      unsettled: [...found.unsettled],
      suspended: found.suspended.map((datasource) => datasource.name),
      complete: found.complete,
      remaining: remaining?.map(toDriftAnswer) ?? null,
    };
  }

  /**
   * Datasources that answer nobody although no event of them is parked. Where all are closed at once, none is closed
   * for itself.
   */
  private async closedForNothing({ suspended }: Found): Promise<readonly string[]> {
    const parked = new Set((await this.services.parked(this.proving.question.name)).map(({ scope }) => scope));
    const all = suspended.filter(({ scope }) => scope === "all datasources");
    return (all.length > 0 ? all : suspended).map(({ scope }) => scope).filter((scope) => !parked.has(scope));
  }

  /** What is still otherwise after every step. */
  private async repaired(
    drift: readonly FoundDrift[],
    request: (scopes: readonly string[]) => Promise<void>,
  ): Promise<readonly FoundDrift[]> {
    let left = drift;
    for (const step of repairSteps) {
      const portions = portionsOf(left, step);
      if (portions.length === 0) continue;
      for (const scopes of portions) await request(scopes);
      left = (await this.proof.look(new Set(left.map(({ key }) => key)))).drift;
      if (left.length === 0) break;
    }
    return left;
  }

  private async settled(position: Position): Promise<void> {
    const { repair } = this.services.patienceMs;
    if (!(await orAborted(this.proof.progress.reached(position, repair), this.proving.watch.signal)))
      throw new ReadersBehind(position, repair);
  }
}

/** A wait that ends with the signal's reason. */
function orAborted<Value>(waited: Promise<Value> | Value, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return Promise.resolve(waited);
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    Promise.resolve(waited)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", abort));
  });
}

const toDriftAnswer = ({ kind, subject, differences }: FoundDrift): DriftAnswer => ({
  kind,
  subject,
  differences: differences.map(toDifferenceAnswer),
});

const toDifferenceAnswer = (difference: Difference): DifferenceAnswer =>
  "missing" in difference
    ? { aspect: difference.aspect, missing: [...difference.missing], extra: [...difference.extra] }
    : { ...difference };

const toParkedAnswer = (
  projection: string,
  { position, stream, eventType, scope, error }: ParkedEvent,
): ParkedEventAnswer => ({
  position: position.toString(),
  stream,
  event: eventType,
  scope,
  error,
  may_be_discarded: isDiscardable(projection, eventType),
});
