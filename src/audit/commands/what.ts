import { Command } from "commander";
import { withAuditOptions, type AuditOptions } from "./askAudit.js";
import { whatFormat } from "./historyFormats.js";
import type { Terminal } from "../../cli/terminal.js";
import { printHistory } from "./printHistory.js";

/** `audit what`: every document that a person could see. */
export function whatCommand(terminal: Terminal): Command {
  const command = new Command("what")
    .description("list every document that a person could see, and through which groups")
    .requiredOption("--user <email>", "login email of the person")
    .option("--at <moment>", "a time, a token or a position (default: now)")
    .action(({ user, at, ...options }: AuditOptions & { readonly user: string; readonly at?: string }) =>
      printHistory(whatFormat, { user, at }, options, terminal),
    );
  return withAuditOptions(command, [
    "audit what --user ada@example.com",
    "audit what --user ada@example.com --at 2026-01-31T18:00:00Z --json",
  ]);
}
