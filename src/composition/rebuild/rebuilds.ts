import type { Logger } from "pino";
import type { Commands } from "../../../commands/commands.js";
import { readModelNames, type ReadModelName } from "../../events/projection.js";
import { projectedHere } from "../duties.js";
import { VersionSweeper } from "../freeVersions.js";
import type { ProjectionFeed, ToldProjectionFeed } from "../projectionFeed.js";
import type { OnProjectionError } from "../projectorGroup.js";
import type { ProjectorThreadsConfig } from "../projectorThreads.js";
import { startProjectors, type ProjectorConfig, type ProjectorGroupName } from "../projectors.js";
import type { ReadSide } from "../readSide.js";
import { bringUp } from "./bringUp.js";
import { carryOutReports } from "./carryOutReports.js";
import { startRebuildThreads } from "./rebuildThreads.js";

export interface RebuildsOptions {
  readonly config: ProjectorThreadsConfig;
  readonly feed: ToldProjectionFeed;
  readonly logger: Logger;
  readonly commands: Commands;
  readonly readSide: Pick<ReadSide, "completeComparison">;
  readonly onProjectionError: OnProjectionError;
}

/**
 * What a server does about versions of the read models that it projects: brings them up in threads, and frees what is
 * dropped.
 */
export function startRebuilds({ config, feed, logger, commands, readSide, onProjectionError }: RebuildsOptions): {
  stop(): Promise<void>;
} {
  const reportsOf = (name: ReadModelName) =>
    carryOutReports(name, { commands, logger, complete: readSide.completeComparison });
  const names = projectedHere(config);
  const threads = startRebuildThreads({
    config,
    names,
    feed,
    logger,
    reportsOf,
    onProjectionError,
  });
  const sweeper = new VersionSweeper({ config, names, feed, logger });
  return {
    stop: async () => {
      await threads.stop();
      await sweeper.close();
    },
  };
}

const groupOf = (name: ReadModelName): ProjectorGroupName =>
  name === "search" || name === "permissionHistory" ? name : "readModels";

/** What the command line does about them, in its own thread. */
export interface OfflineRebuilds {
  /**
   * Brings up the version of a read model that is under way, if no other process does, until none is or the signal
   * aborts.
   */
  bringUp(name: ReadModelName, signal: AbortSignal): Promise<void>;
  /** Frees what dropped versions have stored, a few seconds from now. */
  freeDropped(): Promise<void>;
}

export interface OfflineRebuildsOptions {
  readonly config: ProjectorConfig;
  readonly feed: ProjectionFeed;
  readonly logger: Logger;
  readonly commands: Commands;
  readonly onProjectionError: OnProjectionError;
  readonly completeComparison: ReadSide["completeComparison"];
}

/** No server need be there: while a version is brought up, the one that is served is kept up to date too. */
export function offlineRebuilds({
  config,
  feed,
  logger,
  commands,
  onProjectionError,
  completeComparison,
}: OfflineRebuildsOptions): OfflineRebuilds {
  return {
    bringUp: async (name, signal) => {
      await bringUp({
        ...{ name, config, feed, logger, signal, onProjectionError },
        reports: carryOutReports(name, { commands, logger, complete: completeComparison }),
        keepLive: () => startProjectors(groupOf(name), config, { feed, logger, onProjectionError }),
      });
    },
    freeDropped: async () => {
      const sweeper = new VersionSweeper({ config, names: readModelNames, feed, logger });
      await sweeper.idle();
      await sweeper.close();
    },
  };
}
