import type { Logger } from "pino";
import type { Lease } from "../../projections/ports.js";
import { runWithLease } from "../../projections/runWithLease.js";
import type { EventLogConfig } from "./eventLogEngine.js";
import { openPermissionHistoryProjector } from "./permissionHistoryProjector.js";
import type { ProjectionName } from "../events/projection.js";
import type { ProjectionFeed } from "./projectionFeed.js";
import {
  messageOf,
  retryDelayMs,
  type ProjectorGroup,
  type ProjectorTelling,
  type ProjectionErrorReport,
} from "./projectorGroup.js";
import type { ReadModelConfig } from "./readModelEngine.js";
import { openReadModelsProjector } from "./readModelsProjector.js";
import type { SearchConfig } from "./searchEngine.js";
import { openSearchProjector } from "./searchProjector.js";

/** Which projections share a thread, so that none of them waits for another's slow batch. */
export type ProjectorGroupName = "search" | "readModels" | "permissionHistory";

/** What projections need to know of the settings. */
export type ProjectorConfig = EventLogConfig & SearchConfig & ReadModelConfig;

/** A group of projections at work. */
export interface RunningProjectors {
  /** Finishes the batch at hand, saves its checkpoint and releases what was opened. */
  stop(): Promise<void>;
}

/** Those that write under the lease of their group. */
const projectionsOf: { readonly [Name in ProjectorGroupName]: readonly ProjectionName[] } = {
  search: ["search"],
  readModels: ["groupClosure", "catalogue", "credentials", "contentErasure"],
  permissionHistory: [],
};

type OpenGroup = (config: ProjectorConfig, telling: ProjectorTelling) => Promise<ProjectorGroup>;

const openGroup: { readonly [Name in ProjectorGroupName]: OpenGroup } = {
  search: openSearchProjector,
  readModels: openReadModelsProjector,
  permissionHistory: openPermissionHistoryProjector,
};

/**
 * Starts the projections of a group in this thread, each into the version that the feed says is served. Rejects where
 * an engine cannot be had.
 */
export async function startProjectors(
  name: ProjectorGroupName,
  config: ProjectorConfig,
  telling: ProjectorTelling,
): Promise<RunningProjectors> {
  const group = await openGroup[name](config, telling);
  const { logger, onProjectionError, feed } = telling;
  const stopping = new AbortController();
  const { lease } = group;
  const run =
    lease === null
      ? group.project(null, stopping.signal)
      : projectUnderLease({
          name,
          lease,
          group,
          logger,
          signal: stopping.signal,
          onProjectionError: (error) =>
            projectionErrorsOf(name, feed, error).forEach((report) => onProjectionError?.(report)),
        });
  return {
    stop: async () => {
      stopping.abort();
      await run;
      await group.close();
    },
  };
}

interface LeasedProjecting {
  readonly name: ProjectorGroupName;
  readonly lease: Lease;
  readonly group: ProjectorGroup;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  onProjectionError(error: unknown): void;
}

/** Where the lease cannot be had, none of the group goes on. */
const projectionErrorsOf = (
  group: ProjectorGroupName,
  feed: ProjectionFeed,
  error: unknown,
): readonly ProjectionErrorReport[] =>
  projectionsOf[group].map((projection) => ({
    projection,
    version: feed.of(projection).live,
    kind: "failure",
    message: messageOf(error),
  }));

function projectUnderLease({ name, lease, group, logger, signal, onProjectionError }: LeasedProjecting): Promise<void> {
  const about = (token: bigint): object => ({ projectors: name, token: token.toString() });
  return runWithLease({
    lease,
    signal,
    work: (grant, untilLost) => group.project(grant, untilLost),
    onGranted: (token) => logger.info(about(token), "This process projects now."),
    onEnded: (token) => logger.info(about(token), "This process does not project any more."),
    onFailure: (error) => {
      logger.error({ err: error, projectors: name }, "The projectors' lease or engine failed; it is asked for again.");
      onProjectionError(error);
    },
    retryDelayMs,
  });
}
