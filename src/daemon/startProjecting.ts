import type { Logger } from "pino";
import type { Commands } from "../../commands/commands.js";
import { carryOutReports, type CarryOutOptions } from "./carryOutReports.js";
import type { ThreadConfig } from "./openProjecting.js";
import { VersionSweeper } from "./freeVersions.js";
import type { OnProjectionError } from "./projectAndLog.js";
import type { ToldProjectionFeed } from "./projectionFeed.js";
import { startProjectorThreads } from "./projectorThreads.js";
import type { ReadModel } from "./readModel.js";
import { startRebuildThreads } from "./rebuildThreads.js";
import type { ThreadWatch } from "../shared/threadWatch.js";
import { readModelNames } from "../events/projection.js";

/** What threads run, and the settings that they are given. */
export interface ProjectingThreads {
  readonly projector: URL;
  readonly rebuild: URL;
  readonly config: ThreadConfig;
}

export interface ProjectingParts {
  readonly feed: ToldProjectionFeed;
  readonly logger: Logger;
  readonly commands: Commands;
  /** Adds to a comparison what only this process can compare. */
  readonly completeComparison: CarryOutOptions["complete"];
  readonly onProjectionError: OnProjectionError;
  /** Told where a thread that projects ends, and when it is back. */
  readonly threads: ThreadWatch;
  /** This process waits so many milliseconds before it rebuilds, so that other processes may begin first. */
  readonly beginAfterMs: number;
}

/**
 * What a process does about the read models that it projects: projects them in threads, builds their versions in other
 * threads, and frees what is dropped.
 */
export function startProjecting(
  { projector, rebuild, config }: ProjectingThreads,
  readModels: readonly ReadModel[],
  { feed, logger, commands, completeComparison, onProjectionError, threads, beginAfterMs }: ProjectingParts,
): {
  /** Resolves once what was dropped so far has been freed. */
  freed(): Promise<void>;
  stop(): Promise<void>;
} {
  const given = { config, feed, logger, onProjectionError };
  const projectors = startProjectorThreads({
    ...given,
    entry: projector,
    threads,
    groups: new Set(readModels.map(({ group }) => group)),
  });
  const rebuilds = startRebuildThreads({
    ...given,
    entry: rebuild,
    beginAfterMs,
    names: readModelNames.filter((name) => readModels.some((readModel) => readModel.name === name)),
    reportsOf: (name) => carryOutReports(name, { commands, logger, complete: completeComparison }),
  });
  const versioned = readModels.filter(({ kind }) => kind === "readModel");
  const sweeper = new VersionSweeper({ readModels: versioned, feed, logger });
  return {
    freed: () => sweeper.idle(),
    stop: async () => {
      await rebuilds.stop();
      await sweeper.close();
      await projectors.stop();
    },
  };
}
