import { resolve } from "node:path";
import { Command } from "commander";
import { BackupRefused } from "../../shared/failures.js";
import { usageFailure } from "../cliFailure.js";
import { loadConfig } from "../service.js";
import { ProgressLine, type Terminal } from "../terminal.js";

interface BackupOptions {
  readonly out: string;
  readonly json?: boolean;
}

/** `backup`: what cannot be rebuilt, in a folder of its own. */
export function backupCommand(terminal: Terminal): Command {
  return new Command("backup")
    .description("copy the log and the signing key, while the service runs or not")
    .requiredOption("--out <folder>", "a new folder for it")
    .option("--json", "print one JSON object")
    .addHelpText(
      "after",
      `
The log is copied as it is when the command begins: every write that was answered
before is in it. Whoever can read the folder can read every text, so it is made
for its owner alone. A manifest says what each file has to be. Where EVENTSTORE_URL
is set, the event store has a backup of its own, and only the signing key is copied.

Example:
  enterprise-search backup --out /backups/monday`,
    )
    .action((options: BackupOptions) => backUpTo(options, terminal));
}

async function backUpTo({ out, json }: BackupOptions, terminal: Terminal): Promise<void> {
  const config = loadConfig(terminal);
  const { interrupted } = terminal;
  const { backUp } = await import("../../wiring/backups.js");
  const progress = new CopyProgress(terminal);
  try {
    const {
      log,
      signing_key: key,
      ...manifest
    } = await backUp(config, {
      ...{ out, signal: interrupted },
      onProgress: (copied, total) => progress.show(copied, total),
    });
    const result = { folder: resolve(out), ...manifest, log, signing_key: key };
    terminal.printResult(json === true, result, () =>
      [
        `${result.folder} holds`,
        log === null
          ? "  no log: back the event store up by its own means"
          : `  the log up to position ${log.position}, ${log.bytes.toLocaleString("en")} bytes`,
        key === null ? "  no signing key: none was ever made" : "  the key that signs exports",
      ].join("\n"),
    );
  } catch (error) {
    throw error instanceof BackupRefused ? usageFailure(error.message) : error;
  } finally {
    progress.stop();
  }
}

/** How much of the log is copied, on a terminal. */
class CopyProgress {
  private readonly line: ProgressLine;
  private shown: number | null = null;

  constructor(terminal: Terminal) {
    this.line = new ProgressLine(terminal, "pages of the log");
  }

  show(copied: number, total: number): void {
    if (this.shown === null) this.line.start(total);
    this.line.advance(copied - (this.shown ?? 0));
    this.shown = copied;
  }

  stop(): void {
    this.line.stop();
  }
}
