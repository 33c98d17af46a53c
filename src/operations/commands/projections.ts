import { Command } from "commander";
import { parseCount } from "../../cli/arguments.js";
import { askAndPrint, withAskOptions, type AskOptions } from "../../cli/question.js";
import { withService } from "../../cli/service.js";
import type { Terminal } from "../../cli/terminal.js";
import { parkedCommand } from "./parked.js";
import { rebuildCommand, tell } from "./rebuild.js";
import { namesOfReadModels, projectionAddress, projectionNames, statusCommand, statusOf } from "./status.js";
import { verifyCommand } from "./verify.js";
import { watchVersion } from "./watchVersion.js";

/** `projections`: where read models stand, and building them anew. */
export function projectionsCommand(terminal: Terminal): Command {
  return new Command("projections")
    .description("see where read models stand, and build them anew while people search")
    .addCommand(statusCommand(terminal))
    .addCommand(rebuildCommand(terminal))
    .addCommand(rollbackCommand(terminal))
    .addCommand(dropCommand(terminal))
    .addCommand(pauseCommand(terminal))
    .addCommand(resumeCommand(terminal))
    .addCommand(verifyCommand(terminal))
    .addCommand(parkedCommand(terminal));
}

/** `projections rollback`: goes back to the version before. */
function rollbackCommand(terminal: Terminal): Command {
  const command = new Command("rollback")
    .description("go back to the version that was served before, once it has caught up")
    .argument("<name>", namesOfReadModels)
    .action(async (name: string, options: AskOptions) => {
      const outcome = await withService(
        terminal,
        { url: options.url, keyOf: "an operator", restsOn: [] },
        async (service) => {
          await service.ask({ method: "POST", path: projectionAddress(name, "rollback"), body: {} });
          return watchVersion(service, name, terminal);
        },
      );
      tell(name, outcome, options, terminal);
    });
  return withAskOptions(command, { keyOf: "an operator", examples: ["projections rollback search"] });
}

/** `projections drop`: frees what a version takes. */
function dropCommand(terminal: Terminal): Command {
  const command = new Command("drop")
    .description("drop a version that is kept, or give up the one under way")
    .argument("<name>", namesOfReadModels)
    .argument("<version>", "its number", parseCount)
    .action((name: string, version: number, options: AskOptions) =>
      askAndPrint(terminal, options, {
        ...{ keyOf: "an operator", restsOn: [] },
        ask: async (service) => {
          await service.ask({ method: "POST", path: projectionAddress(name, "drop"), body: { version } });
          await service.untilFreed();
          return statusOf(await service.projections(), name);
        },
        inWords: (status) => `Version ${version} of ${name} is dropped. Version ${status.version} is served.`,
      }),
    );
  return withAskOptions(command, { keyOf: "an operator", examples: ["projections drop search 1"] });
}

/** `projections pause`: lets a projection stand still. */
function pauseCommand(terminal: Terminal): Command {
  const command = new Command("pause")
    .description("let a projection stand still; what is projected goes on being served")
    .argument("<name>", projectionNames)
    .action(changing("pause", terminal));
  return withAskOptions(command, { keyOf: "an operator", examples: ["projections pause search"] });
}

/** `projections resume`: the other half of it. */
function resumeCommand(terminal: Terminal): Command {
  const command = new Command("resume")
    .description("let a paused projection go on from where it stands")
    .argument("<name>", projectionNames)
    .action(changing("resume", terminal));
  return withAskOptions(command, { keyOf: "an operator", examples: ["projections resume search"] });
}

const changing =
  (action: "pause" | "resume", terminal: Terminal) =>
  (name: string, options: AskOptions): Promise<void> =>
    askAndPrint(terminal, options, {
      keyOf: "an operator",
      ask: async (service) => {
        await service.ask({ method: "POST", path: projectionAddress(name, action), body: {} });
        return statusOf(await service.projections(), name);
      },
      inWords: (status) =>
        action === "pause"
          ? `${name} stands still at position ${status.position ?? "?"}, until \`projections resume ${name}\`.`
          : `${name} goes on.`,
    });
