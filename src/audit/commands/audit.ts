import { Command } from "commander";
import type { Terminal } from "../../cli/terminal.js";
import { accessCommand } from "./access.js";
import { exportCommand } from "./export.js";
import { exposureCommand } from "./exposure.js";
import { historyCommand } from "./history.js";
import { publicKeyCommand } from "./publicKey.js";
import { questionsCommand } from "./questions.js";
import { webQueriesCommand } from "./webQueries.js";
import { verifyCommand } from "./verify.js";
import { whatCommand } from "./what.js";
import { whoCommand } from "./who.js";
import { whatIfCommand } from "./whatIf.js";

/** `audit`: who could see what, when and why. */
export function auditCommand(terminal: Terminal): Command {
  return new Command("audit")
    .description("ask who could see what, when and why")
    .addCommand(accessCommand(terminal))
    .addCommand(whoCommand(terminal))
    .addCommand(whatCommand(terminal))
    .addCommand(historyCommand(terminal))
    .addCommand(exposureCommand(terminal))
    .addCommand(whatIfCommand(terminal))
    .addCommand(exportCommand(terminal))
    .addCommand(verifyCommand(terminal))
    .addCommand(questionsCommand(terminal))
    .addCommand(webQueriesCommand(terminal))
    .addCommand(publicKeyCommand(terminal));
}
