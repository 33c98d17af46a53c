import type { Logger } from "pino";
import { isAcceptable, type VersionUnderWay } from "../../../commands/projection/versions.js";
import { catalogue } from "../../../projections/catalogue/project.js";
import { contentErasure } from "../../../projections/contentErasure/project.js";
import { credentials } from "../../../projections/credentials/project.js";
import { groupClosure } from "../../../projections/groupClosure/project.js";
import type { EventSource } from "../../../projections/ports.js";
import { permissionHistory } from "../../../projections/permissionHistory/project.js";
import { searchProjection } from "../../../projections/search/project.js";
import { projectionKinds, type ProjectionName } from "../../events/projection.js";
import type { StreamCategory } from "../../events/streams.js";
import type {
  ProjectionLag,
  ProjectionsAnswer,
  ProjectionStatus,
  VersionProgress,
} from "../../readModels/projectionStatus.js";
import type { ProjectionOverview } from "../../http/ports.js";
import type { Position } from "../../shared/position.js";
import type { FollowedProjections } from "../../composition/followProjections.js";
import type { ProjectionFeed } from "../../composition/projectionFeed.js";
import type { OnProjectionError } from "../../composition/projectorGroup.js";
import type { ProjectorConfig } from "../../composition/projectors.js";
import type { DutiesConfig } from "../../composition/duties.js";
import { FollowedRemovals } from "./followedRemovals.js";
import { Rates } from "./rates.js";
import { lastErrorsOf, type LastErrors } from "./lastErrors.js";
import { ProjectionErrorLog } from "./projectionErrors.js";
import { factsIn, VersionInspector, type NoFacts, type VersionFacts } from "./versionFacts.js";

/** What every projection reads. */
const categories: Readonly<Record<ProjectionName, readonly StreamCategory[]>> = {
  search: searchProjection.categories,
  groupClosure: groupClosure.categories,
  catalogue: catalogue.categories,
  credentials: credentials.categories,
  permissionHistory: permissionHistory.categories,
  contentErasure: contentErasure.categories,
};
const names = Object.keys(projectionKinds) as readonly ProjectionName[];
/** Counting goes on the main thread. */
const maxCounted = 1_000;
const longestLagSeconds = 60;

/** Tells where projections stand, from the log and from what their engines hold. */
export class ProjectionStatuses {
  private readonly inspector: VersionInspector;
  private readonly bulk: FollowedRemovals;
  private readonly rates = new Rates();
  private readonly troubles: ProjectionErrorLog;

  constructor(
    private readonly config: ProjectorConfig & DutiesConfig,
    private readonly source: EventSource,
    private readonly feed: ProjectionFeed,
    logger: Logger,
  ) {
    this.inspector = new VersionInspector(config);
    this.troubles = new ProjectionErrorLog(config, logger);
    this.bulk = new FollowedRemovals(config.dataDir, feed);
  }

  /** To be told why a projection could not go on. */
  readonly noteProjectionError: OnProjectionError = (report) => this.troubles.note(report);

  async list(): Promise<ProjectionsAnswer> {
    const [head, errors] = await Promise.all([this.source.head(), this.lastErrors()]);
    const projections = await Promise.all(names.map((name) => this.status(name, head, errors)));
    const removals = isFollowed(projections) ? await this.bulk.list().catch(() => null) : null;
    return {
      log: head.toString(),
      log_unit: this.config.eventStoreUrl === null ? "events" : "bytes",
      projections,
      bulk_removals: removals,
    };
  }

  async close(): Promise<void> {
    await this.bulk.close();
    await this.troubles.close();
    await this.inspector.close();
  }

  private async lastErrors(): Promise<LastErrors> {
    return lastErrorsOf(await this.troubles.list());
  }

  private async status(name: ProjectionName, head: Position, lastError: LastErrors): Promise<ProjectionStatus> {
    const { live, kept, paused, underWay } = this.feed.of(name);
    // At once: an engine that does not answer lets each of them wait.
    const [found, progress, others] = await Promise.all([
      this.inspector.look(name, live),
      underWay &&
        this.inspector
          .look(name, underWay.version)
          .then((looked) => this.progress(name, underWay, looked, head, lastError)),
      Promise.all(kept.map(async (version) => ({ version, facts: factsIn(await this.inspector.look(name, version)) }))),
    ]);
    const facts = factsIn(found);
    return {
      name,
      kind: projectionKinds[name] === "readModel" ? "read_model" : "reaction",
      state: paused ? "paused" : "running",
      version: live,
      position: digits(facts),
      lag: facts && (await this.lag(name, facts.position, head)),
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
    name: ProjectionName,
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
  private async lag(name: ProjectionName, position: Position, head: Position): Promise<ProjectionLag> {
    const none = { events: 0, or_more: false, seconds: 0 };
    if (position >= head) return none;
    const stopping = new AbortController();
    let events = 0;
    let oldest: string | null = null;
    let isOver = false;
    for await (const batch of this.source.subscribe({
      after: position,
      categories: categories[name],
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

/** What was removed is told from the permission history: where nobody has projected it for long, nothing is known. */
function isFollowed(projections: readonly ProjectionStatus[]): boolean {
  const history = projections.find(({ name }) => name === "permissionHistory");
  return history === undefined || (history.lag !== null && history.lag.seconds <= longestLagSeconds);
}

const digits = (facts: VersionFacts | null): string | null => facts && facts.position.toString();

/** A version that is compared is at the end of the log, but for what came in this moment. */
function phaseOf(underWay: VersionUnderWay, left: number | null): VersionProgress["phase"] {
  if (isAcceptable(underWay)) return underWay.kind === "rollback" && left !== 0 ? "building" : "going_over";
  if (underWay.comparison !== null) return "waiting_for_accept";
  return left === 0 ? "comparing" : "building";
}

/** How long an answer waits for what its command has changed to be known here. */
const settleMs = 1_000;

/** What people are told, as of the commands that they have just given. */
export const overviewOf = (
  statuses: ProjectionStatuses,
  followed: Pick<FollowedProjections, "reached">,
): ProjectionOverview => ({
  list: () => statuses.list(),
  settle: (position) => followed.reached(position, settleMs),
});
