import type { Logger } from "pino";
import type { Commands } from "../../../commands/commands.js";
import type { ReadModelName } from "../../events/projection.js";
import { projectedHere } from "../duties.js";
import { VersionSweeper } from "../freeVersions.js";
import type { ToldProjectionFeed } from "../projectionFeed.js";
import type { OnProjectionError } from "../projectorGroup.js";
import type { ProjectorThreadsConfig } from "../projectorThreads.js";
import type { ReadSide } from "../readSide.js";
import { carryOutReports } from "./carryOutReports.js";
import { startRebuildThreads } from "./rebuildThreads.js";

export interface RebuildsOptions {
  readonly config: ProjectorThreadsConfig;
  readonly feed: ToldProjectionFeed;
  readonly logger: Logger;
  readonly commands: Commands;
  readonly readSide: Pick<ReadSide, "completeComparison">;
  readonly onProjectionError: OnProjectionError;
  /** So long others may begin what is under way before this process does. */
  readonly beginAfterMs: number;
}

/**
 * What a server does about versions of the read models that it projects: brings them up in threads, and frees what is
 * dropped.
 */
export function startRebuilds(options: RebuildsOptions): {
  /** Resolves once what was dropped so far has been freed. */
  freed(): Promise<void>;
  stop(): Promise<void>;
} {
  const { config, feed, logger, commands, readSide } = options;
  const reportsOf = (name: ReadModelName) =>
    carryOutReports(name, { commands, logger, complete: readSide.completeComparison });
  const names = projectedHere(config);
  const threads = startRebuildThreads({ ...options, names, reportsOf });
  const sweeper = new VersionSweeper({ config, names, feed, logger });
  return {
    freed: () => sweeper.idle(),
    stop: async () => {
      await threads.stop();
      await sweeper.close();
    },
  };
}
