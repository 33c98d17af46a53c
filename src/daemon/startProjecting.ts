import type { Logger } from "pino";
import { randomUUID } from "node:crypto";
import type { Commands, CommandContext, CommandResult } from "../../commands/commands.js";
import type { ThreadConfig } from "./openProjecting.js";
import { VersionSweeper } from "./freeVersions.js";
import type { OnProjectionError } from "./projectAndLog.js";
import type { ToldProjectionFeed } from "./projectionFeed.js";
import { startProjectorThreads } from "./projectorThreads.js";
import type { ReadModel } from "./readModel.js";
import { startRebuildThreads } from "./rebuildThreads.js";
import type { ThreadWatch } from "../shared/restartedWorker.js";
import { readModelNames, type ComparisonSummary, type ReadModelName } from "../events/projection.js";
import type { BuildReports } from "./buildVersion.js";

/** What threads run, and the settings that they are given. */
interface ProjectingThreads {
  readonly projector: URL;
  readonly rebuild: URL;
  readonly config: ThreadConfig;
}

interface ProjectingParts {
  readonly feed: ToldProjectionFeed;
  readonly logger: Logger;
  readonly commands: Commands;
  /** Adds to a comparison what only this process can compare. */
  readonly completeComparison: CarryOutOptions["complete"];
  readonly onProjectionError: OnProjectionError;
  /** Called where a thread that projects ends, and when it is back. */
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

interface CarryOutOptions {
  readonly commands: Commands;
  readonly logger: Logger;
  /** Adds what only this process can compare; left out: nothing. */
  complete?(name: ReadModelName, version: number, comparison: ComparisonSummary): Promise<ComparisonSummary>;
}

/** Turns what is reported of a version under way into commands. One that fails is not repeated: the report is. */
export function carryOutReports(name: ReadModelName, { commands, logger, complete }: CarryOutOptions): BuildReports {
  const underWay = new Set<string>();
  const record = async (carryOut: () => CommandResult<null>): Promise<void> => {
    try {
      const outcome = await carryOut();
      if (!outcome.ok)
        logger.warn(
          { projection: name, rejection: outcome.error.type },
          "What a rebuild came to could not be recorded.",
        );
    } catch (error) {
      logger.error(
        { err: error, projection: name },
        "What a rebuild came to could not be recorded; it is tried again.",
      );
    }
  };
  const once = (key: string, carryOut: () => CommandResult<null>): void => {
    if (underWay.has(key)) return;
    underWay.add(key);
    void record(carryOut).finally(() => underWay.delete(key));
  };
  return {
    compared: (version, comparison) =>
      once(`compared ${version}`, async () => {
        const whole = complete === undefined ? comparison : await complete(name, version, comparison);
        return commands.recordComparison({ name, version, comparison: whole }, theService());
      }),
    ready: (version) => once(`ready ${version}`, () => commands.activateVersion({ name, version }, theService())),
  };
}

/** The service itself goes on with what an operator has asked for. */
const theService = (): CommandContext => ({ by: "operator", correlationId: randomUUID(), allowedDatasources: null });
