import { CommanderError } from "commander";
import { CliFailure, type FailureCode } from "./cliFailure.js";
import { note, print } from "./output.js";
import { createProgram } from "./program.js";

const asJson = process.argv.includes("--json");

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(0);
});

try {
  await createProgram().parseAsync();
} catch (error) {
  process.exitCode = error instanceof CommanderError ? endOfParsing(error) : failWith(error);
}

/** Help and version are no failures; commander has said what was wrong with the rest. */
function endOfParsing(error: CommanderError): 0 | FailureCode {
  if (error.exitCode === 0) return 0;
  if (asJson) print(JSON.stringify({ error: error.message }));
  return 2;
}

function failWith(error: unknown): FailureCode {
  const failure =
    error instanceof CliFailure
      ? error
      : new CliFailure(`It failed: ${error instanceof Error ? error.message : String(error)}`);
  note(failure.message);
  if (asJson) print(JSON.stringify({ error: failure.message }));
  return failure.exitCode;
}
