import type { Logger } from "pino";
import { isAcceptable, type VersionUnderWay } from "../../../commands/projection/versions.js";
import type { EventSource, ProjectionErrors } from "../../../projections/ports.js";
import type { VersionFacts } from "../../daemon/ports.js";
import { type ProcessRole, isKnownHere } from "../../daemon/processRole.js";
import type { FollowedProjections } from "../../daemon/followProjections.js";
import type { ProjectionFeed } from "../../daemon/projectionFeed.js";
import type { ReadModel } from "../../daemon/readModel.js";
import type { ProjectionOverview } from "../../http/ports.js";
import {
  type BulkRemoval,
  type ProjectionLag,
  type ProjectionsAnswer,
  type ProjectionStatus,
  type VersionProgress,
  type ProjectionError,
  projectionErrorKey,
  type RecordedProjectionError,
} from "../../readModels/projectionStatus.js";
import type { Position } from "../../shared/position.js";
import { sharedLook } from "./liveStatus.js";
import type { ProjectionName } from "../../events/projection.js";
import { messageOf, type ProjectionErrorReport } from "../../daemon/projectAndLog.js";

interface StatusServices {
  readonly readModels: readonly ReadModel[];
  readonly source: EventSource;
  readonly feed: ProjectionFeed;
  readonly role: ProcessRole;
  readonly logUnit: ProjectionsAnswer["log_unit"];
  readonly errors: ProjectionErrorLog;
  readonly bulkRemovals: BulkRemovalsInReadModel;
}

/** Bulk removals, and the read model that tells of them: where nobody has projected it for long, nothing is known. */
interface BulkRemovalsInReadModel {
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

/** People who watch share a look for so long. */
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

/** What is to be told of a version, which was found like this. */
type LastErrors = (
  projection: ProjectionName,
  version: number,
  found: VersionFacts | NoFacts,
) => ProjectionError | null;

/**
 * What it waits for comes first, be it that its engine does not answer here either; then that events are parked, as
 * long as any is; then what is over.
 */
export const lastErrorsOf =
  (errors: ReadonlyMap<string, RecordedProjectionError>): LastErrors =>
  (projection, version, found) => {
    const failure = errors.get(projectionErrorKey({ projection, version, kind: "failure" }));
    if (failure !== undefined && failure.recoveredAt === null) return described(failure);
    if ("failure" in found) return { at: new Date().toISOString(), message: found.failure, recovered_at: null };
    const parked = errors.get(projectionErrorKey({ projection, version, kind: "parked" }));
    if (parked !== undefined && (factsIn(found)?.parked ?? 0) > 0) return described(parked);
    return failure === undefined ? null : described(failure);
  };

const described = ({ at, message, recoveredAt }: RecordedProjectionError): ProjectionError => ({
  at,
  message,
  recovered_at: recoveredAt,
});

interface Sample {
  readonly at: number;
  readonly position: Position;
}

const longestMs = 30_000;
/** Looks that follow each other so soon tell nothing. */
const shortestMs = 200;

/** How fast positions move on, from how they were when somebody looked before. */
class Rates {
  private readonly samples = new Map<string, Sample[]>();

  /** Positions per second over the last half minute; null where there was no look before, or there is no position. */
  of(key: string, position: Position | null): number | null {
    if (position === null) return null;
    const at = performance.now();
    const samples = (this.samples.get(key) ?? []).filter((sample) => at - sample.at <= longestMs);
    const [oldest] = samples;
    if (at - (samples.at(-1)?.at ?? 0) >= shortestMs) samples.push({ at, position });
    this.samples.set(key, samples);
    if (oldest === undefined || at - oldest.at < shortestMs) return null;
    return Math.max(0, Math.round((Number(position - oldest.position) / (at - oldest.at)) * 1_000));
  }
}

/** Why the facts of a version could not be had: its engine does not answer. */
interface NoFacts {
  readonly failure: string;
}

const factsIn = (found: VersionFacts | NoFacts): VersionFacts | null => ("failure" in found ? null : found);

/** Looks at a version where it is stored, whether anybody serves it or not. */
async function lookAt(readModel: ReadModel, version: number, role: ProcessRole): Promise<VersionFacts | NoFacts> {
  const { placement } = readModel;
  if (placement !== "shared" && !isKnownHere(readModel, role)) return { failure: placement.elsewhere };
  try {
    return await readModel.facts(version);
  } catch (error) {
    return { failure: messageOf(error) };
  }
}

/** The same is not written again before. A retry follows every second. */
const writeAgainMs = 10_000;

/** Errors that have been over for this long are no longer listed. */
const toldMs = 24 * 60 * 60_000;

/**
 * What went wrong with projections of late, here and in other processes. Where what they share is away, this process
 * knows its own.
 */
export class ProjectionErrorLog {
  private readonly own = new Map<string, RecordedProjectionError>();
  private readonly writtenAt = new Map<string, number>();
  private readonly due = new Set<string>();
  private writing: Promise<void> = Promise.resolve();

  /** `shared`: where all processes can read it. */
  constructor(
    private readonly shared: ProjectionErrors,
    private readonly logger: Logger,
  ) {}

  /** Written in the background; where that fails, the program's log has it all the same. */
  note({ projection, version, kind, message }: ProjectionErrorReport): void {
    const at = new Date().toISOString();
    const key = projectionErrorKey({ projection, version, kind: kind === "parked" ? kind : "failure" });
    const known = this.own.get(key);
    if (kind !== "recovered") {
      this.own.set(key, { projection, version, kind, at, message, recoveredAt: null });
      const isRepeated =
        known?.message === message &&
        known.recoveredAt === null &&
        performance.now() - (this.writtenAt.get(key) ?? 0) < writeAgainMs;
      if (!isRepeated) this.write(key);
    } else if (known?.recoveredAt !== undefined && known.recoveredAt !== null) return;
    else {
      if (known !== undefined) this.own.set(key, { ...known, recoveredAt: at });
      this.write(key);
    }
  }

  /** The newest of each version and kind, by {@link projectionErrorKey}. */
  async list(): Promise<ReadonlyMap<string, RecordedProjectionError>> {
    const since = new Date(Date.now() - toldMs).toISOString();
    const newest = new Map<string, RecordedProjectionError>();
    for (const projectionError of [...(await this.ofOthers()), ...this.own.values()]) {
      const key = projectionErrorKey(projectionError);
      const known = newest.get(key);
      if (lastOf(projectionError) >= since && (known === undefined || lastOf(known) <= lastOf(projectionError)))
        newest.set(key, projectionError);
    }
    return newest;
  }

  async close(): Promise<void> {
    await this.writing;
    this.shared.close();
  }

  private ofOthers(): Promise<readonly RecordedProjectionError[]> {
    return this.shared.list().catch(() => []);
  }

  private write(key: string): void {
    this.due.add(key);
    this.writing = this.writing
      .then(() => this.writeDue(key))
      .catch((error: unknown) =>
        this.logger.warn({ err: error }, "What went wrong with a projection could not be told to other processes."),
      );
  }

  /** Writes the error as it is by now: what has changed meanwhile needs no writing of its own. */
  private async writeDue(key: string): Promise<void> {
    if (!this.due.delete(key)) return;
    this.writtenAt.set(key, performance.now());
    const projectionError = this.own.get(key) ?? (await this.leftOpen(key));
    if (projectionError !== null) await this.shared.record(projectionError);
  }

  /** Ends an error that an earlier process left open: this process goes on. */
  private async leftOpen(key: string): Promise<RecordedProjectionError | null> {
    const left = (await this.ofOthers()).find(
      (projectionError) => projectionErrorKey(projectionError) === key && projectionError.recoveredAt === null,
    );
    if (left === undefined) return null;
    const recovered = { ...left, recoveredAt: new Date().toISOString() };
    this.own.set(key, recovered);
    return recovered;
  }
}

const lastOf = ({ at, recoveredAt }: RecordedProjectionError): string => recoveredAt ?? at;
