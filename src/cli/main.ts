import { onInterrupt } from "./signals.js";
import { runCommandLine } from "./run.js";

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(0);
});

const { stdout, stderr, env: environment } = process;

process.exitCode = await runCommandLine(process.argv.slice(2), {
  ...{ stdout, stderr, environment },
  get stdin() {
    return process.stdin;
  },
  interruption: onInterrupt,
  abandon: (code) => process.exit(code),
});
