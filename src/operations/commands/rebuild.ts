import { Command, InvalidArgumentError } from "commander";
import { CliFailure } from "../../cli/cliFailure.js";
import { withAskOptions, type AskOptions } from "../../cli/question.js";
import { withService, type Service } from "../../cli/service.js";
import type { Terminal } from "../../cli/terminal.js";
import { namesOfReadModels, projectionAddress, renderComparison, statusOf } from "./status.js";
import { watchVersion, type Outcome } from "./watchVersion.js";

interface RebuildCommandOptions extends AskOptions {
  readonly verify?: boolean;
  readonly keep: number;
  readonly accept?: boolean;
}

/** `projections rebuild`: builds a read model anew, and serves it. */
export function rebuildCommand(terminal: Terminal): Command {
  const command = new Command("rebuild")
    .description("build a read model anew beside the one that is served, compare, and switch to it")
    .argument("<name>", namesOfReadModels)
    .option("--verify", "compare everything that the log ever named before the swap, not only a part")
    .option("--keep <count>", "versions that were served before to keep, for rollback", parseKeep, 1)
    .option("--accept", "serve the new version although it differs; of one that waits for that, too")
    .action((name: string, options: RebuildCommandOptions) => rebuild(name, options, terminal));
  return withAskOptions(command, {
    keyOf: "an operator",
    examples: [
      "projections rebuild search",
      "projections rebuild groupClosure --verify --keep 2",
      "projections rebuild search --accept",
    ],
  });
}

async function rebuild(
  name: string,
  { verify = false, keep, accept = false, ...options }: RebuildCommandOptions,
  terminal: Terminal,
): Promise<void> {
  const asked = { url: options.url, keyOf: "an operator", restsOn: [] } as const;
  const outcome = await withService(terminal, asked, async (service) => {
    await start(service, name, { verify, keep, accept }, terminal);
    return watchVersion(service, name, terminal);
  });
  tell(name, outcome, options, terminal);
}

interface RebuildOptions {
  readonly verify: boolean;
  readonly keep: number;
  readonly accept: boolean;
}

/** What is under way already, here or elsewhere, is gone on with. */
async function start(service: Service, name: string, options: RebuildOptions, terminal: Terminal): Promise<void> {
  const { under_way: underWay } = statusOf(await service.projections(), name);
  if (underWay === null) {
    await service.ask({ method: "POST", path: projectionAddress(name, "rebuild"), body: options });
    return;
  }
  terminal.note(`Version ${underWay.version} is under way already.`);
  if (options.accept && !underWay.accepted)
    await service.ask({ method: "POST", path: projectionAddress(name, "accept"), body: {} });
}

/** Says what became of it, also for rollbacks. */
export function tell(name: string, outcome: Outcome, { json = false }: AskOptions, terminal: Terminal): void {
  const { status } = outcome;
  if (outcome.kind === "dropped")
    throw new CliFailure(
      `The version was dropped before it was served. Version ${status.version} of ${name} is served.`,
    );
  if (outcome.kind === "differs") {
    terminal.exitCode = 1;
    const { version, comparison } = outcome.progress;
    const next = `Version ${version} of ${name} is built and differs from version ${status.version}, which goes on being served.`;
    const ways = [
      `Which of them is right, \`projections verify ${name}\` tells of version ${status.version}, and \`projections verify ${name} --version ${version}\` of version ${version}: all that differs from the log.`,
      `Then serve it with \`projections rebuild ${name} --accept\`, or give it up with \`projections drop ${name} ${version}\`.`,
    ];
    return terminal.printResult(json, status, () =>
      [next, "", renderComparison(comparison, status.version, version), "", ...ways].join("\n"),
    );
  }
  terminal.printResult(
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
