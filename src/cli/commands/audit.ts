import { Command } from "commander";
import { accessCommand } from "../audit/access.js";
import { exportCommand } from "../audit/export.js";
import { exposureCommand } from "../audit/exposure.js";
import { historyCommand } from "../audit/history.js";
import { publicKeyCommand } from "../audit/publicKey.js";
import { verifyCommand } from "../audit/verify.js";
import { whatCommand } from "../audit/what.js";
import { whoCommand } from "../audit/who.js";
import { whatIfCommand } from "../audit/whatIf.js";

/** `audit`: who could see what, when and why. */
export function auditCommand(): Command {
  return new Command("audit")
    .description("ask who could see what, when and why")
    .addCommand(accessCommand())
    .addCommand(whoCommand())
    .addCommand(whatCommand())
    .addCommand(historyCommand())
    .addCommand(exposureCommand())
    .addCommand(whatIfCommand())
    .addCommand(exportCommand())
    .addCommand(verifyCommand())
    .addCommand(publicKeyCommand());
}
