import { mayBeLeftOut, type ReadModelName } from "../../src/events/projection.js";
import type { ParkedEvent } from "../../src/readModels/parkedEvent.js";
import type { Position } from "../../src/shared/position.js";
import type { PrincipalTokens } from "../../src/shared/principalTokens.js";
import { failed, ok } from "../../src/shared/result.js";
import type { Projected } from "../ports.js";
import { compareReadModels, ReadersBehind, type Comparison, type ComparisonReport } from "./compareReadModels.js";
import type { Difference, Drift } from "./differences.js";
import type { ComparedReaders, LogSource } from "./ports.js";
import { portionsOf, repairSteps } from "./repairSteps.js";
import { keyOf } from "./subjects.js";
import type { DifferenceAnswer, DriftAnswer, ParkedEventAnswer, RequestRepair, Verification, VerificationAnswer, VerifyReadModel } from "./verification.js";

export interface VerificationServices {
  readonly log: LogSource;
  readonly tokens: PrincipalTokens;
  /** Readers of what is served now. */
  readonly served: Required<ComparedReaders>;
  /** Which version of a projection is served. */
  versionOf(name: string): number;
  parked(name: string): Promise<readonly ParkedEvent[]>;
  /** Waited for after each batch of a comparison, so that requests get their turn. */
  rest(): Promise<void>;
  /** How long readers may take to come as far as the log, and a repair to be made. */
  readonly patienceMs: { readonly reach: number; readonly repair: number };
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
    verify: async (question, repair, onProgress) => {
      const reader = readerOf[question.name as ReadModelName];
      if (reader === undefined) return failed({ type: "NotComparable", projection: question.name });
      const run = new VerificationRun(services, question, reader, ({ compared, done }) => onProgress?.({ compared, done }));
      try {
        return ok(await run.answer(repair));
      } catch (error) {
        if (error instanceof ReadersBehind) return failed({ type: "ReadModelBehind", projection: question.name });
        throw error;
      }
    },
    settled: async (name, position) => {
      const reader = readerOf[name as ReadModelName];
      return reader === undefined || services.served[reader].reached(position, services.patienceMs.repair);
    },
    parked: async (name) => ({ projection: name, version: services.versionOf(name), parked: (await services.parked(name)).map((event) => toParkedAnswer(name, event)) }),
  };
}

class VerificationRun {
  constructor(
    private readonly services: VerificationServices,
    private readonly question: VerifyReadModel,
    private readonly reader: keyof ComparedReaders,
    private readonly onProgress: NonNullable<Comparison["onProgress"]>,
  ) {}

  async answer(repair: RequestRepair | null): Promise<VerificationAnswer> {
    const { name, sample, seed } = this.question;
    const version = this.services.versionOf(name);
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
    const { log, tokens, served, rest, patienceMs } = this.services;
    const { sample, seed } = this.question;
    return compareReadModels({
      log, tokens, rest, sample: { part: sample, seed }, served: { [this.reader]: served[this.reader] }, onProgress: this.onProgress, limits: { reachMs: patienceMs.reach },
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
    const reader: Projected = this.services.served[this.reader];
    if (!(await reader.reached(position, this.services.patienceMs.repair))) throw new ReadersBehind(position, this.services.patienceMs.repair);
  }
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
