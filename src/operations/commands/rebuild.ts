import { Command, InvalidArgumentError } from "commander";
import { CliFailure } from "../../cli/cliFailure.js";
import { note, printResult } from "../../cli/output.js";
import { onInterrupt } from "../../cli/signals.js";
import {
  statusOf,
  withProjections,
  withProjectionsOptions,
  type ProjectionsOptions,
  type ProjectionsService,
} from "./projectionsService.js";
import { renderComparison } from "./comparison.js";
import { watchVersion, type Outcome } from "./watchVersion.js";

interface RebuildCommandOptions extends ProjectionsOptions {
  readonly verify?: boolean;
  readonly keep: number;
  readonly accept?: boolean;
}

/** `projections rebuild`: builds a read model anew, and serves it. */
export function rebuildCommand(): Command {
  const command = new Command("rebuild")
    .description("build a read model anew beside the one that is served, compare, and go over to it")
    .argument("<name>", "the projection")
    .option("--verify", "compare everything that the log ever named before the swap, not only a part")
    .option("--keep <count>", "versions that were served before to keep, for rollback", parseKeep, 1)
    .option("--accept", "serve the new version although it differs; of one that waits for that, too")
    .action(rebuild);
  return withProjectionsOptions(command, [
    "rebuild search",
    "rebuild groupClosure --verify --keep 2",
    "rebuild search --accept",
  ]);
}

async function rebuild(
  name: string,
  { verify = false, keep, accept = false, ...options }: RebuildCommandOptions,
): Promise<void> {
  const signal = onInterrupt();
  const outcome = await withProjections(options, async (projections) => {
    await start(projections, name, { verify, keep, accept });
    return watchVersion(projections, name, signal);
  });
  tell(name, outcome, options);
}

/** What is under way already, here or elsewhere, is gone on with. */
async function start(
  projections: ProjectionsService,
  name: string,
  options: { readonly verify: boolean; readonly keep: number; readonly accept: boolean },
): Promise<void> {
  const { under_way: underWay } = statusOf(await projections.list(), name);
  if (underWay === null) return projections.rebuild(name, options);
  note(`Version ${underWay.version} is under way already.`);
  if (options.accept && !underWay.accepted) await projections.accept(name);
}

/** Says what became of it, also for rollbacks. */
export function tell(name: string, outcome: Outcome, { json = false }: ProjectionsOptions): void {
  const { status } = outcome;
  if (outcome.kind === "dropped")
    throw new CliFailure(
      `The version was dropped before it was served. Version ${status.version} of ${name} is served.`,
    );
  if (outcome.kind === "differs") {
    process.exitCode = 1;
    const { version, comparison } = outcome.progress;
    const next = `Version ${version} of ${name} is built and differs from version ${status.version}, which goes on being served.`;
    const ways = [
      `Which of them is right, \`projections verify ${name}\` tells of version ${status.version}, and \`projections verify ${name} --version ${version}\` of version ${version}: all that differs from the log.`,
      `Then serve it with \`projections rebuild ${name} --accept\`, or give it up with \`projections drop ${name} ${version}\`.`,
    ];
    return printResult(json, status, () =>
      [next, "", renderComparison(comparison, status.version, version), "", ...ways].join("\n"),
    );
  }
  printResult(
    json,
    status,
    () =>
      `Version ${status.version} of ${name} is served.${status.kept.length === 0 ? "" : ` Kept: version ${status.kept.map(({ version }) => version).join(", ")}.`}`,
  );
}

function parseKeep(text: string): number {
  if (/^\d{1,2}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Write a whole number from 0 to 99.");
}
