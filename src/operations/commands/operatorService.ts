import type { Command } from "commander";
import { CliFailure } from "../../cli/cliFailure.js";
import { withService, type Service } from "../../cli/service.js";
import { withUrlOption } from "../../cli/urlOption.js";
import type { Terminal } from "../../cli/terminal.js";
import { answersRestOn } from "../../readModels/answersRestOn.js";
import type { ProjectionsAnswer, ProjectionStatus } from "../../readModels/projectionStatus.js";

/** What every command of an operator takes besides its own options. */
export interface OperatorOptions {
  readonly url?: string;
  readonly json?: boolean;
}

/** Adds the options of {@link OperatorOptions}, and examples. */
export function withOperatorOptions(command: Command, examples: readonly string[]): Command {
  return withUrlOption(command, "an operator")
    .option("--json", "print one JSON object")
    .addHelpText("after", `\nExamples:\n${examples.map((example) => `  enterprise-search ${example}`).join("\n")}`);
}

/**
 * Works with the service that the options name. `looking`: on the data folder nothing is projected meanwhile;
 * `projecting`: it is; `caughtUp`: it is, and has come as far as the log beforehand.
 */
export function withOperator<Value>(
  { url }: OperatorOptions,
  terminal: Terminal,
  folder: "looking" | "projecting" | "caughtUp",
  use: (service: Service) => Promise<Value>,
): Promise<Value> {
  return withService(terminal, { url, keyOf: "an operator", projecting: folder !== "looking" }, async (service) => {
    if (folder === "caughtUp") await service.untilProjected(answersRestOn.everything);
    return use(service);
  });
}

/** The address of what can be done with a projection. */
export const projectionAddress = (name: string, action: string): string =>
  `/api/admin/projections/${encodeURIComponent(name)}/${action}`;

/** The status of one projection; fails in a sentence where there is none of this name. */
export function statusOf({ projections }: ProjectionsAnswer, name: string): ProjectionStatus {
  const status = projections.find((candidate) => candidate.name === name);
  if (status !== undefined) return status;
  throw new CliFailure(
    `There is no projection named ${JSON.stringify(name)}. There are: ${projections.map((other) => other.name).join(", ")}.`,
  );
}
