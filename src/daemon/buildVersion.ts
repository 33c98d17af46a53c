import { setImmediate as nextTurn } from "node:timers/promises";
import { isAcceptable, type ProjectionState, type VersionUnderWay } from "../../commands/projection/versions.js";
import type { Lease, LeaseGrant, LeaseTiming } from "../../projections/ports.js";
import { runWithLease } from "../../projections/runWithLease.js";
import type { ComparisonSummary, ProjectionName } from "../events/projection.js";
import { compareVersions } from "./compareVersions.js";
import type { Building } from "./ports.js";
import { messageOf, retryDelayMs } from "./projectAndLog.js";
import { whenState, type ProjectionFeed } from "./projectionFeed.js";
import { tellingCaughtUp, type ProjectingServices } from "./projectGroup.js";
import type { OpenedProjecting, ReadModel } from "./readModel.js";

/** What a build reports to the thread that gives commands. Reporting it again does no harm. */
export interface BuildReports {
  compared(version: number, comparison: ComparisonSummary): void;
  /** Nothing writes to it any more; it may be served. */
  ready(version: number): void;
}

/** How a version is built; tests are in a hurry. */
interface BuildPace extends Building {
  /** Events of one batch; the storage's own where left out. */
  readonly maxBatchSize?: number;
  /** Timing of the lease under which the version is built; left out: the lease's default. */
  readonly leaseTiming?: LeaseTiming;
}

interface VersionBuilding extends ProjectingServices {
  readonly readModel: ReadModel;
  readonly reports: BuildReports;
  readonly signal: AbortSignal;
  /** A lease among the processes of this machine, for engines that have none. */
  openLease(name: string, timing?: LeaseTiming): Lease & { close(): void };
  readonly pace?: BuildPace;
}

/** How long a report may remain without effect before it is made again. */
const reportAgainMs = 2_000;

/**
 * Builds the version of a read model that is under way, and ends when none is any more. A version that was kept, for a
 * rollback, only catches up. A new one is compared as well, and is kept up to date while it waits to be accepted. Once
 * nothing writes to it any more, it is reported ready. One process at a time does this. All that has to be remembered
 * is in the log and beside the version, so that another process can go on after a death.
 */
export async function buildVersion(job: VersionBuilding): Promise<void> {
  const { readModel, feed, signal } = job;
  const builder = await openBuilder(job);
  try {
    while (!signal.aborted) {
      const { underWay } = feed.of(readModel.name);
      if (underWay === null) return;
      await buildUnderLease(job, builder, underWay);
    }
  } finally {
    await builder.close();
  }
}

/** Builds in this thread. */
interface VersionBuilder {
  readonly lease: Lease;
  /** Projects until the signal aborts; `onCaughtUp` is told whenever the end of the log was reached. */
  project(version: number, grant: LeaseGrant, signal: AbortSignal, onCaughtUp: () => void): Promise<void>;
  close(): Promise<void>;
}

/** Opens the engine of a read model for building its versions. */
export async function openBuilder(job: Omit<VersionBuilding, "reports" | "signal" | "feed">): Promise<VersionBuilder> {
  const { readModel, log, tokens, logger, onProjectionError, pace = {} } = job;
  const leaseName = `rebuild-${readModel.name}`;
  const { leaseTiming, ...building } = pace;
  const projecting: OpenedProjecting = await readModel.openProjecting({ leaseName, leaseTiming, logger });
  const ownLease = projecting.lease === null ? job.openLease(leaseName, leaseTiming) : null;
  const lease = projecting.lease ?? ownLease;
  if (lease === null) throw new Error(`There is no lease to build ${readModel.name} under.`);
  return {
    lease,
    project: (version, grant, signal, onCaughtUp) =>
      projecting.project({
        ...{ version, grant, signal, tokens, building, earlier: null, onProjectionError },
        contents: log.contents,
        source: tellingCaughtUp(log.source({ batches: true }), onCaughtUp),
        logger: logger.child({ version }),
      }),
    close: async () => {
      ownLease?.close();
      await projecting.close();
    },
  };
}

async function buildUnderLease(
  job: VersionBuilding,
  builder: VersionBuilder,
  underWay: VersionUnderWay,
): Promise<void> {
  const { feed, signal, logger, onProjectionError } = job;
  const { name } = job.readModel;
  const { version } = underWay;
  const ending = new AbortController();
  const ended = AbortSignal.any([signal, ending.signal]);
  const watching = whenState(feed, name, (state) => !isUnderWay(state, version), ended).then(() => ending.abort());
  await runWithLease({
    lease: builder.lease,
    signal: ended,
    work: (grant, until) => buildOne(job, builder, underWay, grant, until),
    onGranted: () => logger.info({ projection: name, version }, "This process builds a version of a read model."),
    onEnded: () => undefined,
    onFailure: (error) => {
      logger.error({ err: error, projection: name }, "Building a version of a read model failed; it is tried again.");
      onProjectionError?.({ projection: name, version, kind: "failure", message: messageOf(error) });
    },
    retryDelayMs,
  });
  await watching;
}

const isUnderWay = ({ underWay }: ProjectionState, version: number): boolean => underWay?.version === version;

async function buildOne(
  job: VersionBuilding,
  builder: VersionBuilder,
  { version, kind }: VersionUnderWay,
  grant: LeaseGrant,
  signal: AbortSignal,
): Promise<void> {
  const { feed, reports } = job;
  const { name } = job.readModel;
  const stopping = new AbortController();
  const following = AbortSignal.any([signal, stopping.signal]);
  let onCaughtUp = (): void => undefined;
  const caughtUp = new Promise<void>((resolve) => (onCaughtUp = resolve));
  const projecting = builder.project(version, grant, following, onCaughtUp);
  try {
    await Promise.race([caughtUp, projecting]);
    if (signal.aborted) return;
    if (kind === "rebuild") {
      await Promise.race([compare(job, version, signal), projecting]);
      await Promise.race([
        whenState(feed, name, ({ underWay }) => underWay === null || isAcceptable(underWay), signal),
        projecting,
      ]);
    }
    if (signal.aborted) return;
  } finally {
    stopping.abort();
    await projecting;
  }
  await reportUntil(
    () => reports.ready(version),
    { name, feed },
    (state) => !isUnderWay(state, version),
    signal,
  );
}

async function compare(job: VersionBuilding, version: number, signal: AbortSignal): Promise<void> {
  const { readModel, log, tokens, feed, reports } = job;
  const { name } = readModel;
  const { live, underWay } = feed.of(name);
  if (underWay === null || underWay.comparison !== null) return;
  const source = log.source();
  try {
    const summary = await compareVersions(readModel, {
      ...{ live, next: version, depth: underWay.verify ? "full" : "spot", source, tokens, signal },
      rest: () => nextTurn(),
    });
    await reportUntil(
      () => reports.compared(version, summary),
      { name, feed },
      (state) => state.underWay === null || state.underWay.comparison !== null,
      signal,
    );
  } finally {
    await source.close();
  }
}

/** What is reported shows in the log; until it does, it is reported again. */
async function reportUntil(
  report: () => void,
  { name, feed }: { readonly name: ProjectionName; readonly feed: ProjectionFeed },
  isSeen: (state: ProjectionState) => boolean,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && !isSeen(feed.of(name))) {
    report();
    await whenState(feed, name, isSeen, AbortSignal.any([signal, AbortSignal.timeout(reportAgainMs)]));
  }
}
