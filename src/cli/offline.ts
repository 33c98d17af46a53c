import { randomUUID } from "node:crypto";
import type { CommandContext, CommandResult, Commands } from "../../commands/commands.js";
import type { Rejection } from "../../commands/rejection.js";
import { readConfig, type Config } from "../config.js";
import { createLogger } from "../logging.js";
import type { OfflineService } from "../main.js";
import { CliFailure, usageFailure } from "./cliFailure.js";
import { note } from "./output.js";
import { explainStartFailure } from "./startFailure.js";

/** The settings from the environment. Fails with every setting that is wrong, by name. */
export function loadConfig(): Config {
  const config = readConfig(process.env);
  if (config.ok) return config.value;
  throw usageFailure(["The settings are not valid:", ...config.error.map((problem) => `  ${problem}`)].join("\n"));
}

/** Opens the data folder without HTTP, beside a running server or not, and closes it whatever happens. */
export async function withOfflineService<Value>(
  use: (service: OfflineService, config: Config) => Promise<Value>,
): Promise<Value> {
  const config = loadConfig();
  // Not before it is needed: whoever asks for help, or makes a mistake, has the answer at once.
  const { openOffline } = await import("../main.js");
  const service = await openOffline(config, createLogger({ logLevel: "error", logTo: "stderr" })).catch(
    (error: unknown) => {
      throw explainStartFailure(error, config);
    },
  );
  try {
    return await use(service, config);
  } finally {
    await service.close();
  }
}

/** The operator at the terminal may do everything. */
export const operator = (): CommandContext => ({
  by: "operator",
  correlationId: randomUUID(),
  allowedDatasources: null,
});

/** The command's value; a rejection ends the program with a sentence. */
export async function accepted<Value>(result: CommandResult<Value>): Promise<Value> {
  const outcome = await result;
  if (outcome.ok) return outcome.value.value;
  throw new CliFailure(rejectionSentence(outcome.error));
}

/**
 * Carries out one command and projects it, so that what it changes holds when the program ends: servers that run on the
 * same folder read the same read models. Where that cannot be had the command counts all the same, and its answer,
 * which may hold a secret that is shown once, is not lost.
 */
export function carryOut<Value>(command: (commands: Commands) => CommandResult<Value>): Promise<Value> {
  return withOfflineService(async ({ commands, catchUp }) => {
    const value = await accepted(command(commands));
    await catchUp().catch((error: Error) => note(`It is done, but not served yet: ${error.message}`));
    return value;
  });
}

/** Why a command was refused. */
export function rejectionSentence(rejection: Rejection): string {
  if (rejection.type === "CredentialNotFound")
    return `There is no credential with the id ${rejection.id}. The command \`list\` shows the ids.`;
  if (rejection.type === "TooMuchContention") return "Others kept writing to the same place. Run the command again.";
  if (rejection.type === "TooLarge")
    return `This comes to ${rejection.bytes} bytes, and the event log takes at most ${rejection.maxBytes} at once. Ask for less at a time.`;
  if (rejection.type === "EmailEmpty") return "The email is empty.";
  const projections = projectionSentence(rejection);
  if (projections !== null) return projections;
  return `The command was refused: ${JSON.stringify(rejection)}`;
}

/** Why something cannot be done with a projection; null: it is about something else. */
function projectionSentence(rejection: Rejection): string | null {
  switch (rejection.type) {
    case "ProjectionNotFound":
      return `There is no projection named ${JSON.stringify(rejection.projection)}. The command \`projections status\` names them.`;
    case "ProjectionIsReaction":
      return `${rejection.projection} is a reaction, not a read model: what it did is done once, and there is nothing to build anew.`;
    case "RebuildUnderWay":
      return `Version ${rejection.version} of ${rejection.projection} is under way already. Wait for it, accept it, or drop it.`;
    case "NothingToAccept":
      return `No version of ${rejection.projection} waits to be accepted.`;
    case "NoVersionKept":
      return `No earlier version of ${rejection.projection} was kept, so there is none to go back to.`;
    case "VersionServed":
      return `Version ${rejection.version} of ${rejection.projection} is the one that is served. Go back to another, or build one, before it is dropped.`;
    case "VersionNotFound":
      return `${rejection.projection} has no version ${rejection.version}.`;
    case "ParkedEventTakesAway":
      return `Leaving ${rejection.eventType} out of ${rejection.projection} would let people keep what they have lost, or make answers about the past wrong, so its scope stays closed: retry it, or rebuild the projection with a version of the program that can apply it.`;
    default:
      return null;
  }
}
