import { Command } from "commander";
import { withAuditOptions, type AuditOptions } from "./askAudit.js";
import { exposureFormat } from "./historyFormats.js";
import type { Terminal } from "../../cli/terminal.js";
import { printHistory } from "./printHistory.js";

interface ExposureOptions extends AuditOptions {
  readonly event?: string;
  readonly document?: string;
  readonly grant?: string;
  readonly at?: string;
}

/** `audit exposure`: what one fact, a mistake perhaps, and nothing else made visible. */
export function exposureCommand(terminal: Terminal): Command {
  const command = new Command("exposure")
    .description(
      "tell what one grant, membership, group's name or registration, and nothing else, made visible to whom and when",
    )
    .option("--event <position>", "the event that made it so: its position, as `events` and `audit history` print it")
    .option("--document <datasource/id>", "instead of an event: the document whose grant it is")
    .option("--grant <whom>", "with --document: anonymous, user:EMAIL or group:NAME")
    .option("--at <moment>", "nothing after it: a time, a token or a position (default: now)")
    .action(({ event, document, grant, at, ...options }: ExposureOptions) =>
      printHistory(exposureFormat, { event, document, grant, at }, options, terminal),
    );
  return withAuditOptions(command, [
    "audit exposure --event 1204",
    "audit exposure --document handbook/travel-2024.md --grant group:staff --csv",
  ]);
}
