import { isAcceptable, type VersionUnderWay } from "../../../commands/projection/versions.js";
import type { EventSource } from "../../../projections/ports.js";
import type { VersionFacts } from "../../daemon/ports.js";
import type { ProcessRole } from "../../daemon/processRole.js";
import type { FollowedProjections } from "../../daemon/followProjections.js";
import type { ProjectionFeed } from "../../daemon/projectionFeed.js";
import type { ReadModel } from "../../daemon/readModel.js";
import type { ProjectionOverview } from "../../http/ports.js";
import type {
  BulkRemoval,
  ProjectionLag,
  ProjectionsAnswer,
  ProjectionStatus,
  VersionProgress,
} from "../../readModels/projectionStatus.js";
import type { Position } from "../../shared/position.js";
import { lastErrorsOf, type LastErrors } from "./lastErrors.js";
import type { ProjectionErrorLog } from "./projectionErrors.js";
import { sharedLook } from "./liveStatus.js";
import { Rates } from "./rates.js";
import { factsIn, lookAt, type NoFacts } from "./versionFacts.js";

export interface StatusServices {
  readonly readModels: readonly ReadModel[];
  readonly source: EventSource;
  readonly feed: ProjectionFeed;
  readonly role: ProcessRole;
  readonly logUnit: ProjectionsAnswer["log_unit"];
  readonly errors: ProjectionErrorLog;
  readonly bulkRemovals: BulkRemovalsInReadModel;
}

/** Bulk removals, and the read model that tells of them: where nobody has projected it for long, nothing is known. */
export interface BulkRemovalsInReadModel {
  readonly readModel: ReadModel;
  list(): Promise<readonly BulkRemoval[]>;
}

/** Counting goes on the main thread. */
const maxCounted = 1_000;
const longestLagSeconds = 60;

/** Tells where projections stand, from the log and from what their engines hold. */
export class ProjectionStatuses {
  private readonly rates = new Rates();

  constructor(private readonly services: StatusServices) {}

  async list(): Promise<ProjectionsAnswer> {
    const { source, errors, readModels, bulkRemovals, logUnit } = this.services;
    const [head, lastErrors] = await Promise.all([source.head(), errors.list().then(lastErrorsOf)]);
    const projections = await Promise.all(readModels.map((readModel) => this.status(readModel, head, lastErrors)));
    const followed = projections.find(({ name }) => name === bulkRemovals.readModel.name);
    const isFollowed =
      followed?.lag !== null && followed?.lag !== undefined && followed.lag.seconds <= longestLagSeconds;
    const removals = isFollowed ? await bulkRemovals.list().catch(() => null) : null;
    return { log: head.toString(), log_unit: logUnit, projections, bulk_removals: removals };
  }

  private async status(readModel: ReadModel, head: Position, lastError: LastErrors): Promise<ProjectionStatus> {
    const { name, kind } = readModel;
    const { feed, role } = this.services;
    const { live, kept, paused, underWay } = feed.of(name);
    const look = (version: number): Promise<VersionFacts | NoFacts> => lookAt(readModel, version, role);
    // At once: an engine that does not answer lets each of them wait.
    const [found, progress, others] = await Promise.all([
      look(live),
      underWay && look(underWay.version).then((looked) => this.progress(name, underWay, looked, head, lastError)),
      Promise.all(kept.map(async (version) => ({ version, facts: factsIn(await look(version)) }))),
    ]);
    const facts = factsIn(found);
    return {
      name,
      kind: kind === "readModel" ? "read_model" : "reaction",
      state: paused ? "paused" : "running",
      version: live,
      position: digits(facts),
      lag: facts && (await this.lag(readModel, facts.position, head)),
      rate: this.rates.of(`${name}-${live}`, facts?.position ?? null),
      parked: facts?.parked ?? null,
      last_error: lastError(name, live, found),
      size: facts?.size ?? null,
      kept: others.map((other) => ({
        version: other.version,
        position: digits(other.facts),
        size: other.facts?.size ?? null,
      })),
      under_way: progress,
    };
  }

  private progress(
    name: ReadModel["name"],
    underWay: VersionUnderWay,
    found: VersionFacts | NoFacts,
    head: Position,
    lastError: LastErrors,
  ): VersionProgress {
    const { version, kind, verify, accepted, comparison } = underWay;
    const facts = factsIn(found);
    const position = facts?.position ?? null;
    const rate = this.rates.of(`${name}-${version}`, position);
    const left = position === null ? null : Number(head - position);
    return {
      version,
      kind,
      phase: phaseOf(underWay, left),
      position: digits(facts),
      progress: left === null ? 0 : head === 0n ? 1 : Math.min(1, Math.max(0, 1 - left / Number(head))),
      rate,
      seconds_left: left === null || rate === null || rate <= 0 ? null : Math.ceil(Math.max(0, left) / rate),
      last_error: lastError(name, version, found),
      size: facts?.size ?? null,
      verify,
      accepted,
      comparison,
    };
  }

  /** Counts what lies between; a reading that does not get anywhere in time counts as far as it came. */
  private async lag({ categories }: ReadModel, position: Position, head: Position): Promise<ProjectionLag> {
    const none = { events: 0, or_more: false, seconds: 0 };
    if (position >= head) return none;
    const stopping = new AbortController();
    let events = 0;
    let oldest: string | null = null;
    let isOver = false;
    for await (const batch of this.services.source.subscribe({
      after: position,
      categories,
      maxBatchSize: 1_000,
      signal: stopping.signal,
    })) {
      const behind = batch.events.filter((event) => event.position <= head);
      oldest ??= behind[0]?.metadata.at ?? null;
      events += behind.length;
      isOver = batch.position >= head || batch.caughtUp;
      if (isOver || events >= maxCounted) break;
    }
    stopping.abort();
    return oldest === null
      ? none
      : { events, or_more: !isOver, seconds: Math.max(0, Math.round((Date.now() - Date.parse(oldest)) / 100) / 10) };
  }
}

const digits = (facts: VersionFacts | null): string | null => facts && facts.position.toString();

/** A version that is compared is at the end of the log, but for what came in this moment. */
function phaseOf(underWay: VersionUnderWay, left: number | null): VersionProgress["phase"] {
  if (isAcceptable(underWay)) return underWay.kind === "rollback" && left !== 0 ? "building" : "going_over";
  if (underWay.comparison !== null) return "waiting_for_accept";
  return left === 0 ? "comparing" : "building";
}

/** How long an answer waits for what its command has changed to be known here. */
const longestWaitMs = 1_000;

/** Those who watch share a look for so long. */
const sharedForMs = 900;

/** What people are told, as of the commands that they have just given. */
export const overviewOf = (
  statuses: ProjectionStatuses,
  followed: Pick<FollowedProjections, "reached">,
): ProjectionOverview => ({
  list: () => statuses.list(),
  watched: sharedLook(() => statuses.list(), sharedForMs),
  waitUntilProjected: (position) => followed.reached(position, longestWaitMs),
});
