import { setImmediate as nextTurn } from "node:timers/promises";
import type { Logger } from "pino";
import { isAcceptable, type ProjectionState, type VersionUnderWay } from "../../../commands/projection/versions.js";
import type { LeaseGrant } from "../../../projections/ports.js";
import { runWithLease } from "../../../projections/runWithLease.js";
import type { ComparisonSummary, ReadModelName } from "../../events/projection.js";
import { whenState, type ProjectionFeed } from "../projectionFeed.js";
import { messageOf, type OnProjectionError } from "../projectorGroup.js";
import type { ProjectorConfig } from "../projectors.js";
import { compareVersions } from "./compareVersions.js";
import { openVersionBuilder, type BuildPace, type VersionBuilder } from "./versionBuilder.js";

/** What is told to whoever gives the commands. Telling it again does no harm. */
export interface BringUpReports {
  compared(version: number, comparison: ComparisonSummary): void;
  /** Nothing writes to it any more; it may be served. */
  ready(version: number): void;
}

export interface BringUp {
  readonly name: ReadModelName;
  readonly config: ProjectorConfig;
  readonly feed: ProjectionFeed;
  readonly reports: BringUpReports;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** Told of what the version under way could not go on for. */
  readonly onProjectionError?: OnProjectionError;
  /** Tests are in a hurry. */
  readonly pace?: BuildPace;
  /** Keeps the version that is served up to date while this process works: where nobody else may be there to do so. */
  keepLive?(): Promise<{ stop(): Promise<void> }>;
}

const retryDelayMs = 1_000;
/** How long a report may remain without effect before it is made again. */
const reportAgainMs = 2_000;

/**
 * Brings up whatever version of a read model is under way, until none is: builds it or lets it catch up, has it
 * compared, keeps it up to date while it waits to be accepted, and reports it ready once nothing writes to it any more.
 * All that is remembered is in the log and beside the version itself, so that whoever dies is continued by whoever
 * comes next.
 */
export async function bringUp(job: BringUp): Promise<void> {
  const { name, feed, signal, logger, onProjectionError } = job;
  const builder = await openVersionBuilder(name, job.config, {
    logger,
    onProjectionError,
    ...job.pace,
  });
  try {
    while (!signal.aborted) {
      const { underWay } = feed.of(name);
      if (underWay === null) return;
      const ending = new AbortController();
      const over = AbortSignal.any([signal, ending.signal]);
      const watching = whenState(feed, name, (state) => !isUnderWay(state, underWay.version), over).then(() =>
        ending.abort(),
      );
      await runWithLease({
        lease: builder.lease,
        signal: over,
        work: async (grant, until) => {
          const live = await job.keepLive?.();
          await bringUpVersion(job, builder, underWay, grant, until).finally(() => live?.stop());
        },
        onGranted: () =>
          logger.info(
            { projection: name, version: underWay.version },
            "This process brings up a version of a read model.",
          ),
        onEnded: () => undefined,
        onFailure: (error) => {
          logger.error(
            { err: error, projection: name },
            "Bringing up a version of a read model failed; it is tried again.",
          );
          onProjectionError?.({
            projection: name,
            version: underWay.version,
            kind: "failure",
            message: messageOf(error),
          });
        },
        retryDelayMs,
      });
      await watching;
    }
  } finally {
    await builder.close();
  }
}

const isUnderWay = ({ underWay }: ProjectionState, version: number): boolean => underWay?.version === version;

async function bringUpVersion(
  job: BringUp,
  builder: VersionBuilder,
  { version, kind }: VersionUnderWay,
  grant: LeaseGrant,
  signal: AbortSignal,
): Promise<void> {
  const { name, feed, reports } = job;
  const stopping = new AbortController();
  const following = AbortSignal.any([signal, stopping.signal]);
  let onCaughtUp = (): void => undefined;
  const caughtUp = new Promise<void>((resolve) => (onCaughtUp = resolve));
  const projecting = builder.project(version, grant, { signal: following, onCaughtUp });
  try {
    await Promise.race([caughtUp, projecting]);
    if (signal.aborted) return;
    if (kind === "rebuild") {
      await Promise.race([compare(job, builder, version, signal), projecting]);
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
    job,
    (state) => !isUnderWay(state, version),
    signal,
  );
}

async function compare(job: BringUp, builder: VersionBuilder, version: number, signal: AbortSignal): Promise<void> {
  const { name, config, feed, reports } = job;
  const { live, underWay } = feed.of(name);
  if (underWay === null || underWay.comparison !== null) return;
  const depth = underWay.verify ? "full" : "spot";
  const summary = await compareVersions(config, {
    name,
    live,
    next: version,
    depth,
    source: builder.source,
    signal,
    rest: () => nextTurn(),
  });
  await reportUntil(
    () => reports.compared(version, summary),
    job,
    (state) => state.underWay === null || state.underWay.comparison !== null,
    signal,
  );
}

/** What is reported shows in the log; until it does, it is reported again. */
async function reportUntil(
  report: () => void,
  { name, feed }: BringUp,
  isSeen: (state: ProjectionState) => boolean,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && !isSeen(feed.of(name))) {
    report();
    await whenState(feed, name, isSeen, AbortSignal.any([signal, AbortSignal.timeout(reportAgainMs)]));
  }
}
