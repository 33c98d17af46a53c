import { Command } from "commander";
import type { Terminal } from "../../cli/terminal.js";
import { dropCommand, pauseCommand, resumeCommand, rollbackCommand } from "./change.js";
import { parkedCommand } from "./parked.js";
import { rebuildCommand } from "./rebuild.js";
import { statusCommand } from "./status.js";
import { verifyCommand } from "./verify.js";

/** `projections`: where read models stand, and building them anew. */
export function projectionsCommand(terminal: Terminal): Command {
  return new Command("projections")
    .description("see where read models stand, and build them anew while people search")
    .addCommand(statusCommand(terminal))
    .addCommand(rebuildCommand(terminal))
    .addCommand(rollbackCommand(terminal))
    .addCommand(dropCommand(terminal))
    .addCommand(pauseCommand(terminal))
    .addCommand(resumeCommand(terminal))
    .addCommand(verifyCommand(terminal))
    .addCommand(parkedCommand(terminal));
}
