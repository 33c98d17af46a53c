import { Command } from "commander";
import { accountCommand } from "../operations/commands/account.js";
import { agentCommand } from "../operations/commands/agent.js";
import { apiKeyCommand } from "../operations/commands/apiKey.js";
import { auditCommand } from "../audit/commands/audit.js";
import { eventsCommand } from "../operations/commands/events.js";
import { backupCommand } from "./commands/backup.js";
import { importCommand } from "./commands/import.js";
import { projectionsCommand } from "../operations/commands/projections.js";
import { undoCommand } from "../operations/commands/undo.js";
import { restoreCommand } from "./commands/restore.js";
import { serveCommand } from "./commands/serve.js";
import { serviceAccountCommand } from "../operations/commands/serviceAccount.js";
import type { Terminal } from "./terminal.js";
import { version } from "../version.js";

/** The command line at a terminal. Parsing throws commander's errors instead of ending the process. */
export function createProgram(terminal: Terminal): Command {
  const program = new Command("enterprise-search")
    .description("Self-hosted search over documents with permissions: everyone finds what they may see.")
    .version(version)
    .enablePositionalOptions()
    .addCommand(serveCommand(terminal))
    .addCommand(accountCommand(terminal))
    .addCommand(serviceAccountCommand(terminal))
    .addCommand(apiKeyCommand(terminal))
    .addCommand(agentCommand(terminal))
    .addCommand(importCommand(terminal))
    .addCommand(eventsCommand(terminal))
    .addCommand(auditCommand(terminal))
    .addCommand(projectionsCommand(terminal))
    .addCommand(undoCommand(terminal))
    .addCommand(backupCommand(terminal))
    .addCommand(restoreCommand(terminal))
    .addHelpText(
      "after",
      `
Every command works on the data folder DATA_DIR (default: ./data), while a server runs on it and while none does.
With --json a command prints exactly one JSON object on stdout and nothing else.
Exit codes: 0 done, 1 failed, 2 asked in a way that cannot be done.

Examples:
  enterprise-search serve
  enterprise-search account create --email ada@example.com --role administrator
  enterprise-search service-account create --name wiki-sync
  enterprise-search import ./handbook --datasource handbook --acl handbook-access.yaml
  enterprise-search <command> --help`,
    );
  throwInsteadOfExiting(program, terminal);
  return program;
}

function throwInsteadOfExiting(command: Command, terminal: Terminal): void {
  command
    .exitOverride()
    .configureOutput({ writeOut: (text) => terminal.write(text), writeErr: (text) => terminal.writeError(text) })
    .showHelpAfterError("(--help explains the command)");
  for (const inner of command.commands) throwInsteadOfExiting(inner, terminal);
}
