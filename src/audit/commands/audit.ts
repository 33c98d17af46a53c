import { Command } from "commander";
import type { Terminal } from "../../cli/terminal.js";
import { accessCommand } from "./access.js";
import { exportCommand } from "./export.js";
import { historyCommands } from "./history.js";
import { recordCommands } from "./records.js";
import { publicKeyCommand, verifyCommand } from "./verify.js";
import { whatIfCommand } from "./whatIf.js";

/** `audit`: who could see what, when and why. */
export function auditCommand(terminal: Terminal): Command {
  const command = new Command("audit").description("ask who could see what, when and why");
  for (const inner of [
    accessCommand(terminal),
    ...historyCommands(terminal),
    whatIfCommand(terminal),
    exportCommand(terminal),
    verifyCommand(terminal),
    ...recordCommands(terminal),
    publicKeyCommand(terminal),
  ])
    command.addCommand(inner);
  return command;
}
