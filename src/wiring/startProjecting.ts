import type { Logger } from "pino";
import type { Commands } from "../../commands/commands.js";
import { carryOutReports } from "../daemon/carryOutReports.js";
import { VersionSweeper } from "../daemon/freeVersions.js";
import type { OnProjectionError } from "../daemon/projectAndLog.js";
import type { ToldProjectionFeed } from "../daemon/projectionFeed.js";
import { startProjectorThreads } from "../daemon/projectorThreads.js";
import type { ReadModel } from "../daemon/readModel.js";
import { startRebuildThreads } from "../daemon/rebuildThreads.js";
import { readModelNames } from "../events/projection.js";
import { projectingConfig, type ProjectingConfig } from "./projecting.js";
import type { ReadSide } from "./readSide.js";

export interface ProjectingParts {
  readonly feed: ToldProjectionFeed;
  readonly logger: Logger;
  readonly commands: Commands;
  readonly readSide: Pick<ReadSide, "completeComparison">;
  readonly onProjectionError: OnProjectionError;
  /** So long others may begin what is under way before this process does. */
  readonly beginAfterMs: number;
}

/**
 * What a process does about the read models that it projects: projects them in threads, builds their versions in other
 * threads, and frees what is dropped.
 */
export function startProjecting(
  config: ProjectingConfig,
  readModels: readonly ReadModel[],
  { feed, logger, commands, readSide, onProjectionError, beginAfterMs }: ProjectingParts,
): {
  /** Resolves once what was dropped so far has been freed. */
  freed(): Promise<void>;
  stop(): Promise<void>;
} {
  const given = { config: projectingConfig(config), feed, logger, onProjectionError };
  const projectors = startProjectorThreads({
    ...given,
    entry: new URL("./projectorThread.js", import.meta.url),
    groups: new Set(readModels.map(({ group }) => group)),
  });
  const rebuilds = startRebuildThreads({
    ...given,
    entry: new URL("./rebuildThread.js", import.meta.url),
    beginAfterMs,
    names: readModelNames.filter((name) => readModels.some((readModel) => readModel.name === name)),
    reportsOf: (name) => carryOutReports(name, { commands, logger, complete: readSide.completeComparison }),
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
