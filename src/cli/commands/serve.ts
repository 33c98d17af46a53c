import { Command } from "commander";
import { delay } from "../../shared/waiting.js";
import { createLogger } from "../../logging.js";
import { loadConfig } from "../service.js";
import { aborted } from "../signals.js";
import { explainStartFailure } from "../cliFailure.js";
import type { Terminal } from "../terminal.js";

/** `serve`: the whole service in this process, until a signal asks it to end. */
export function serveCommand(terminal: Terminal): Command {
  return new Command("serve")
    .description("start the service: HTTP API, event log, search")
    .addHelpText(
      "after",
      `
Settings come from the environment (HOST, PORT, DATA_DIR, …: see docs/settings.md). It is ready when GET /health/ready
answers 200. SIGTERM or Ctrl-C finishes what is in flight, commits, and exits with 0, within 8 seconds; a second
Ctrl-C ends it at once. Logs go to stderr.

Examples:
  enterprise-search serve
  HOST=0.0.0.0 PORT=80 DATA_DIR=/var/lib/enterprise-search enterprise-search serve`,
    )
    .action(() => serve(terminal));
}

async function serve(terminal: Terminal): Promise<void> {
  const config = loadConfig(terminal);
  const { interrupted } = terminal;
  const logger = createLogger({ ...config, logTo: "stderr" });
  const { startService } = await import("../../main.js");
  const service = await startService(config, logger, { offersFirstAccount: true, isWatched: true }).catch(
    (error: unknown) => {
      throw explainStartFailure(error, config);
    },
  );
  terminal.print(`Listening on ${service.url} (data in ${config.dataDir}).`);
  await aborted(interrupted);
  logger.info("Stopping: what is in flight is finished first. A second Ctrl-C ends it at once.");
  if (await endsWithin(service.stop(), longestEndMs)) return logger.info("Stopped.");
  logger.error(
    `Something has not ended within ${longestEndMs / 1_000} seconds and is cut off. What was answered is on disk.`,
  );
  terminal.exitCode = 1;
  terminal.abandon(1);
}

/** Docker kills ten seconds after it has asked. */
const longestEndMs = 8_000;

async function endsWithin(work: Promise<void>, limitMs: number): Promise<boolean> {
  const limit = new AbortController();
  const isOver = await Promise.race([work.then(() => true), delay(limitMs, limit.signal).then(() => false)]);
  limit.abort();
  return isOver;
}
