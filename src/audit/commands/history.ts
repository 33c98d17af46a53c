import { Command } from "commander";
import { withAuditOptions, type AuditOptions } from "./askAudit.js";
import { effectiveFormat, timelineFormat } from "./historyFormats.js";
import type { Terminal } from "../../cli/terminal.js";
import { printHistory } from "./printHistory.js";

interface HistoryOptions extends AuditOptions {
  readonly user?: string;
  readonly group?: string;
  readonly effective?: boolean;
  readonly at?: string;
}

/** `audit history`: what happened to permissions, or what could be seen when. */
export function historyCommand(terminal: Terminal): Command {
  const command = new Command("history")
    .description("tell what happened to the permissions of a document, a person or a group")
    .argument("[datasource/id]", "the document")
    .option("--user <email>", "login email of the person")
    .option("--group <datasource/name>", "the group")
    .option(
      "--effective",
      "tell who could see what, and when, instead of what was done: of the document, of the person, or of both",
    )
    .option("--at <moment>", "nothing after it: a time, a token or a position (default: now)")
    .action((document: string | undefined, options: HistoryOptions) => run(document, options, terminal));
  return withAuditOptions(command, [
    "audit history handbook/travel-2024.md",
    "audit history --group handbook/staff --csv",
    "audit history handbook/travel-2024.md --user ada@example.com --effective",
  ]);
}

function run(
  document: string | undefined,
  { user, group, effective, at, ...options }: HistoryOptions,
  terminal: Terminal,
): Promise<void> {
  const parameters = { document, user, group, at };
  return effective === true
    ? printHistory(effectiveFormat, { ...parameters, effective: "true" }, options, terminal)
    : printHistory(timelineFormat, parameters, options, terminal);
}
