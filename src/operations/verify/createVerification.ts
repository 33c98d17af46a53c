import type { EventSource } from "../../events/eventSource.js";
import { formatScope } from "../../events/scope.js";
import type { Position } from "../../shared/position.js";
import type { PrincipalTokens } from "../../shared/principalTokens.js";
import { orAborted } from "../../shared/waiting.js";
import { failed, ok } from "../../shared/result.js";
import { ReadersBehind } from "./compareReadModels.js";
import type { Difference } from "./answers.js";
import type { VerificationResult, FoundDrift, Proof } from "./proof.js";
import type { VerificationInput, Patience, VerifiedReadModels } from "./provable.js";
import { portionsOf, repairSteps } from "./repairSteps.js";
import type {
  DifferenceAnswer,
  DriftAnswer,
  RequestRepair,
  Verification,
  VerificationAnswer,
  VerificationProgress,
  VerificationWatch,
  VerifyReadModel,
} from "./verification.js";

interface VerificationServices extends VerifiedReadModels {
  readonly log: EventSource;
  readonly tokens: PrincipalTokens;
  /** Waited for after each batch of a comparison, so that requests get their turn. */
  rest(): Promise<void>;
  readonly patienceMs: Patience;
}

/**
 * Proving that what is served equals what the log says (docs/design/read-models.md): the log is folded afresh and held
 * against the readers.
 */
export function createVerification(services: VerificationServices): Verification {
  return {
    verify: (question, repair, watch = {}) => verify(services, question, repair, watch),
  };
}

async function verify(
  services: VerificationServices,
  question: VerifyReadModel,
  repair: RequestRepair | null,
  watch: VerificationWatch,
): ReturnType<Verification["verify"]> {
  const { name } = question;
  const readModel = services.readModel(name);
  if (readModel === null) return failed({ type: "NotComparable", projection: name });
  const { live, underWay, kept } = services.versionsOf(name);
  const version = question.version ?? live;
  if (version !== live && version !== underWay)
    return failed({
      type: kept.includes(version) ? "VersionStandsStill" : "VersionNotFound",
      projection: name,
      version,
    });
  const proving: Proving = { question, version, watch };
  const { proof, close } = await readModel.prove(lookOf(services, proving), version === live ? null : version);
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
  readonly watch: VerificationWatch;
}

const lookOf = (
  { log, tokens, rest, patienceMs }: VerificationServices,
  { question: { sample, seed }, watch: { onProgress, signal } }: Proving,
): VerificationInput => ({
  ...{ log, tokens, rest, sample: { part: sample, seed }, limits: { reachMs: patienceMs.reach } },
  ...(signal !== undefined && { signal }),
  ...(onProgress !== undefined && {
    onProgress: ({ compared, done }: VerificationProgress) => onProgress({ compared, done }),
  }),
});

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
      if (repair !== null && scopes.length > 0) await this.waitUntilProjected(await repair(version, scopes));
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
  private async closedForNothing({ suspended }: VerificationResult): Promise<readonly string[]> {
    const parked = new Set((await this.services.parked(this.proving.question.name)).map(({ scope }) => scope));
    const all = suspended.filter(({ scope }) => scope.kind === "all datasources");
    const closed = (all.length > 0 ? all : suspended).map(({ scope }) => formatScope(scope));
    return closed.filter((scope) => !parked.has(scope));
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

  private async waitUntilProjected(position: Position): Promise<void> {
    const { repair } = this.services.patienceMs;
    const { signal } = this.proving.watch;
    const reached = this.proof.progress.reached(position, repair);
    if (!(await (signal === undefined ? reached : orAborted(reached, signal))))
      throw new ReadersBehind(position, repair);
  }
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
