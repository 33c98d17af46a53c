import { CommanderError } from "commander";
import { CliFailure, type FailureCode } from "./cliFailure.js";
import { commands } from "../wiring/commands.js";
import { createProgram } from "./program.js";
import { Terminal, type Connections } from "./terminal.js";

/** Runs the command line with these arguments; resolves with the exit code, and never rejects. */
export async function runCommandLine(args: readonly string[], connections: Connections): Promise<0 | FailureCode> {
  const terminal = new Terminal(connections);
  const asJson = args.includes("--json");
  try {
    await createProgram(terminal, commands).parseAsync(args, { from: "user" });
    return terminal.exitCode;
  } catch (error) {
    return error instanceof CommanderError ? endOfParsing(error, asJson, terminal) : failWith(error, asJson, terminal);
  }
}

/** Help and version are no failures; commander has said what was wrong with the rest. */
function endOfParsing(error: CommanderError, asJson: boolean, terminal: Terminal): 0 | FailureCode {
  if (error.exitCode === 0) return 0;
  if (asJson) terminal.print(JSON.stringify({ error: error.message }));
  return 2;
}

function failWith(error: unknown, asJson: boolean, terminal: Terminal): FailureCode {
  const failure =
    error instanceof CliFailure
      ? error
      : new CliFailure(`It failed: ${error instanceof Error ? error.message : String(error)}`);
  terminal.note(failure.message);
  if (asJson) terminal.print(JSON.stringify({ error: failure.message }));
  return failure.exitCode;
}
