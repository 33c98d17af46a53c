import { Command } from "commander";
import { dropCommand, pauseCommand, resumeCommand, rollbackCommand } from "./change.js";
import { parkedCommand } from "./parked.js";
import { rebuildCommand } from "./rebuild.js";
import { statusCommand } from "./status.js";
import { verifyCommand } from "./verify.js";

/** `projections`: where read models stand, and building them anew. */
export function projectionsCommand(): Command {
  return new Command("projections")
    .description("see where read models stand, and build them anew while people search")
    .addCommand(statusCommand())
    .addCommand(rebuildCommand())
    .addCommand(rollbackCommand())
    .addCommand(dropCommand())
    .addCommand(pauseCommand())
    .addCommand(resumeCommand())
    .addCommand(verifyCommand())
    .addCommand(parkedCommand());
}
