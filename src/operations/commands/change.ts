import { Command } from "commander";
import { parseCount } from "../../cli/arguments.js";
import { note, printResult } from "../../cli/output.js";
import { onInterrupt } from "../../cli/signals.js";
import { statusOf, withProjections, withProjectionsOptions, type ProjectionsOptions } from "./projectionsService.js";
import { tell } from "./rebuild.js";
import { watchVersion } from "./watchVersion.js";

/** `projections rollback`: goes back to the version before. */
export function rollbackCommand(): Command {
  const command = new Command("rollback")
    .description("go back to the version that was served before, once it has caught up")
    .argument("<name>", "the projection")
    .action(rollBack);
  return withProjectionsOptions(command, ["rollback search"]);
}

async function rollBack(name: string, options: ProjectionsOptions): Promise<void> {
  const signal = onInterrupt();
  const outcome = await withProjections(options, async (projections) => {
    await projections.rollBack(name);
    return watchVersion(projections, name, signal);
  });
  tell(name, outcome, options);
}

/** `projections drop`: frees what a version takes. */
export function dropCommand(): Command {
  const command = new Command("drop")
    .description("drop a version that is kept, or give up the one under way")
    .argument("<name>", "the projection")
    .argument("<version>", "its number", parseCount)
    .action(drop);
  return withProjectionsOptions(command, ["drop search 1"]);
}

async function drop(name: string, version: number, options: ProjectionsOptions): Promise<void> {
  const status = await withProjections(options, async (projections) => {
    await projections.drop(name, version);
    if (process.stderr.isTTY) note("Freeing what it has stored …");
    await projections.free();
    return statusOf(await projections.list(), name);
  });
  printResult(
    options.json === true,
    status,
    () => `Version ${version} of ${name} is dropped. Version ${status.version} is served.`,
  );
}

/** `projections pause`: lets a projection stand still. */
export function pauseCommand(): Command {
  const command = new Command("pause")
    .description("let a projection stand still; what is projected goes on being served")
    .argument("<name>", "the projection")
    .action(changing("pause"));
  return withProjectionsOptions(command, ["pause search"]);
}

/** `projections resume`: the other half of it. */
export function resumeCommand(): Command {
  const command = new Command("resume")
    .description("let a paused projection go on from where it stands")
    .argument("<name>", "the projection")
    .action(changing("resume"));
  return withProjectionsOptions(command, ["resume search"]);
}

const changing =
  (action: "pause" | "resume") =>
  async (name: string, options: ProjectionsOptions): Promise<void> => {
    const status = await withProjections(options, async (projections) => {
      await projections[action](name);
      return statusOf(await projections.list(), name);
    });
    printResult(options.json === true, status, () =>
      action === "pause"
        ? `${name} stands still at position ${status.position ?? "?"}, until \`projections resume ${name}\`.`
        : `${name} goes on.`,
    );
  };
