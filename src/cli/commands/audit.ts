import { Command } from "commander";
import { accessCommand } from "../audit/access.js";

/** `audit`: who could see what, when and why. */
export function auditCommand(): Command {
  return new Command("audit")
    .description("ask who could see what, when and why")
    .addCommand(accessCommand());
}
