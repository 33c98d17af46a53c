import type { Command } from "commander";
import { CliFailure } from "../../cli/cliFailure.js";
import { withService, type Service } from "../../cli/service.js";
import { withUrlOption } from "../../cli/arguments.js";
import { type Terminal, linesIn, ProgressLine } from "../../cli/terminal.js";
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

/** A request whose answer may take minutes. */
interface LongRequest {
  readonly path: string;
  readonly body: object;
  /** What the progress line calls a hundredth of it, such as `% compared`. */
  readonly unit: string;
}

interface ProgressOr<Answer> {
  /** `done`: 0 to 1. */
  readonly progress?: { readonly done?: number };
  readonly answer?: Answer;
  readonly failure?: { readonly status: number; readonly detail: string };
}

/** Asks, and shows how far the service is until the answer is there. */
export async function askWithProgress<Answer>(
  service: Service,
  { path, body, unit }: LongRequest,
  terminal: Terminal,
): Promise<Answer> {
  const line = new ProgressLine(terminal, unit);
  let shown = 0;
  line.start(100);
  try {
    const lines = await service.stream({ method: "POST", path, body, accept: "application/x-ndjson" });
    for await (const text of linesIn(lines)) {
      const { progress, answer, failure } = JSON.parse(text) as ProgressOr<Answer>;
      if (answer !== undefined) return answer;
      if (failure !== undefined) throw new CliFailure(failure.detail);
      const percent = Math.floor(100 * (progress?.done ?? 0));
      line.advance(percent - shown);
      shown = percent;
    }
  } finally {
    line.stop();
  }
  throw new CliFailure("The answer broke off before its last line. Run the command again.");
}
