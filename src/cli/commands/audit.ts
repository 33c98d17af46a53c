import { Command } from "commander";
import { accessCommand } from "../audit/access.js";
import { exportCommand } from "../audit/export.js";
import { publicKeyCommand } from "../audit/publicKey.js";
import { verifyCommand } from "../audit/verify.js";

/** `audit`: who could see what, when and why. */
export function auditCommand(): Command {
  return new Command("audit")
    .description("ask who could see what, when and why")
    .addCommand(accessCommand())
    .addCommand(exportCommand())
    .addCommand(verifyCommand())
    .addCommand(publicKeyCommand());
}
