import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import type { CommandContext, CommandResult, Commands } from "../../commands/commands.js";
import type { ComparisonSummary, ReadModelName } from "../events/projection.js";
import type { BuildReports } from "./buildVersion.js";

export interface CarryOutOptions {
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
