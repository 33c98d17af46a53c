import { Command } from "commander";
import type { Terminal } from "../../cli/terminal.js";
import { parkedCommand } from "./parked.js";
import { rebuildCommand, tell } from "./rebuild.js";
import { statusCommand, namesOfReadModels, projectionNames } from "./status.js";
import { verifyCommand } from "./verify.js";
import { parseCount } from "../../cli/arguments.js";
import {
  projectionAddress,
  statusOf,
  withOperator,
  withOperatorOptions,
  type OperatorOptions,
} from "./operatorService.js";
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
    .action((name: string, options: OperatorOptions) => rollBack(name, options, terminal));
  return withOperatorOptions(command, ["projections rollback search"]);
}

async function rollBack(name: string, options: OperatorOptions, terminal: Terminal): Promise<void> {
  const outcome = await withOperator(options, terminal, "projecting", async (service) => {
    await service.ask({ method: "POST", path: projectionAddress(name, "rollback"), body: {} });
    return watchVersion(service, name, terminal);
  });
  tell(name, outcome, options, terminal);
}

/** `projections drop`: frees what a version takes. */
function dropCommand(terminal: Terminal): Command {
  const command = new Command("drop")
    .description("drop a version that is kept, or give up the one under way")
    .argument("<name>", namesOfReadModels)
    .argument("<version>", "its number", parseCount)
    .action((name: string, version: number, options: OperatorOptions) => drop(name, version, options, terminal));
  return withOperatorOptions(command, ["projections drop search 1"]);
}

async function drop(name: string, version: number, options: OperatorOptions, terminal: Terminal): Promise<void> {
  const status = await withOperator(options, terminal, "projecting", async (service) => {
    await service.ask({ method: "POST", path: projectionAddress(name, "drop"), body: { version } });
    await service.untilFreed();
    return statusOf(await service.projections(), name);
  });
  terminal.printResult(
    options.json === true,
    status,
    () => `Version ${version} of ${name} is dropped. Version ${status.version} is served.`,
  );
}

/** `projections pause`: lets a projection stand still. */
function pauseCommand(terminal: Terminal): Command {
  const command = new Command("pause")
    .description("let a projection stand still; what is projected goes on being served")
    .argument("<name>", projectionNames)
    .action(changing("pause", terminal));
  return withOperatorOptions(command, ["projections pause search"]);
}

/** `projections resume`: the other half of it. */
function resumeCommand(terminal: Terminal): Command {
  const command = new Command("resume")
    .description("let a paused projection go on from where it stands")
    .argument("<name>", projectionNames)
    .action(changing("resume", terminal));
  return withOperatorOptions(command, ["projections resume search"]);
}

const changing =
  (action: "pause" | "resume", terminal: Terminal) =>
  async (name: string, options: OperatorOptions): Promise<void> => {
    const status = await withOperator(options, terminal, "looking", async (service) => {
      await service.ask({ method: "POST", path: projectionAddress(name, action), body: {} });
      return statusOf(await service.projections(), name);
    });
    terminal.printResult(options.json === true, status, () =>
      action === "pause"
        ? `${name} stands still at position ${status.position ?? "?"}, until \`projections resume ${name}\`.`
        : `${name} goes on.`,
    );
  };
