import { Command } from "commander";
import { withAuditOptions, type AuditOptions } from "./askAudit.js";
import { whoFormat } from "./historyFormats.js";
import type { Terminal } from "../../cli/terminal.js";
import { printHistory } from "./printHistory.js";

/** `audit who`: everyone who could see a document. */
export function whoCommand(terminal: Terminal): Command {
  const command = new Command("who")
    .description("list everyone who could see a document, and through which groups")
    .argument("<datasource/id>", "the document")
    .option("--at <moment>", "a time, a token or a position (default: now)")
    .action((document: string, { at, ...options }: AuditOptions & { readonly at?: string }) =>
      printHistory(whoFormat, { document, at }, options, terminal),
    );
  return withAuditOptions(command, [
    "audit who handbook/travel-2024.md",
    "audit who handbook/travel-2024.md --at 2026-01-31T18:00:00Z --csv",
  ]);
}
