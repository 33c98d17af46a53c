import { resolve } from "node:path";
import { Command } from "commander";
import { BackupRefused } from "../../shared/failures.js";
import { CliFailure, explainStartFailure } from "../cliFailure.js";
import { loadConfig } from "../service.js";
import type { Terminal } from "../terminal.js";

interface RestoreOptions {
  readonly from: string;
  readonly json?: boolean;
}

/** `restore`: a backup takes the place of what the data folder holds. */
export function restoreCommand(terminal: Terminal): Command {
  return new Command("restore")
    .description("put a backup into the data folder, and take the read models away")
    .requiredOption("--from <folder>", "what `backup` has written")
    .option("--json", "print one JSON object")
    .addHelpText(
      "after",
      `
Stop every service first: a folder in use is refused. Every file is held against
the manifest, and the log is looked through, before anything is changed. The log
and the key that were there before are moved into a folder beside them. Read models
are taken away, in Redis and Typesense too: the next start rebuilds them. Where
EVENTSTORE_URL is set, restore the event store's own backup first.

Example:
  enterprise-search restore --from /backups/monday`,
    )
    .action((options: RestoreOptions) => restoreFrom(options, terminal));
}

async function restoreFrom({ from, json }: RestoreOptions, terminal: Terminal): Promise<void> {
  const config = loadConfig(terminal);
  const { restore } = await import("../../wiring/backups.js");
  const { manifest, replaced, removed } = await restore(config, from).catch((error: unknown) => {
    throw error instanceof BackupRefused ? new CliFailure(error.message) : explainStartFailure(error, config);
  });
  const folder = resolve(config.dataDir);
  const { made_at, log, signing_key } = manifest;
  const result = { folder, made_at, log, signing_key, replaced, read_models_removed: removed };
  terminal.printResult(json === true, result, () =>
    [
      `${folder} is as it was backed up at ${made_at}${log === null ? "" : `, up to position ${log.position}`}.`,
      ...(replaced === null ? [] : [`What was there before is in ${replaced}. Delete it once it is not needed.`]),
      "The next start rebuilds the read models.",
    ].join("\n"),
  );
}
