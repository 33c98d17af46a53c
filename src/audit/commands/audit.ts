import { Command } from "commander";
import { accessCommand } from "./access.js";
import { exportCommand } from "./export.js";
import { exposureCommand } from "./exposure.js";
import { historyCommand } from "./history.js";
import { publicKeyCommand } from "./publicKey.js";
import { verifyCommand } from "./verify.js";
import { whatCommand } from "./what.js";
import { whoCommand } from "./who.js";
import { whatIfCommand } from "./whatIf.js";

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
