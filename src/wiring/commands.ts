import { accountCommand } from "../operations/commands/account.js";
import { agentCommand } from "../operations/commands/agent.js";
import { apiKeyCommand } from "../operations/commands/apiKey.js";
import { auditCommand } from "../audit/commands/audit.js";
import { eventsCommand } from "../operations/commands/events.js";
import { backupCommand } from "../cli/commands/backup.js";
import { importCommand } from "../cli/commands/import.js";
import { projectionsCommand } from "../operations/commands/projections.js";
import { undoCommand } from "../operations/commands/undo.js";
import { restoreCommand } from "../cli/commands/restore.js";
import { serveCommand } from "../cli/commands/serve.js";
import { serviceAccountCommand } from "../operations/commands/serviceAccount.js";
import type { CommandAt } from "../cli/program.js";

/** The commands of the command line, in the order of its help. What they do is loaded when they do it. */
export const commands: readonly CommandAt[] = [
  serveCommand,
  accountCommand,
  serviceAccountCommand,
  apiKeyCommand,
  agentCommand,
  importCommand,
  eventsCommand,
  auditCommand,
  projectionsCommand,
  undoCommand,
  backupCommand,
  restoreCommand,
];
