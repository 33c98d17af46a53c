import { Command } from "commander";
import { createLogger } from "../../logging.js";
import { loadConfig } from "../localService.js";
import { aborted } from "../signals.js";
import { explainStartFailure } from "../startFailure.js";
import type { Terminal } from "../terminal.js";

/** `serve`: the whole service in this process, until a signal asks it to end. */
export function serveCommand(terminal: Terminal): Command {
  return new Command("serve")
    .description("start the service: HTTP API, event log, search")
    .addHelpText(
      "after",
      `
Settings come from the environment (HOST, PORT, DATA_DIR, …: see README). It is ready when GET /health/ready
answers 200. SIGTERM or Ctrl-C finishes what is in flight, commits, and exits with 0. Logs go to stderr.

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
  const service = await startService(config, logger).catch((error: unknown) => {
    throw explainStartFailure(error, config);
  });
  terminal.print(`Listening on ${service.url} (data in ${config.dataDir}).`);
  await aborted(interrupted);
  logger.info("Stopping: what is in flight is finished first.");
  await service.stop();
  logger.info("Stopped.");
}
