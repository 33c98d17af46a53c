import { Command } from "commander";
import { dropCommand, pauseCommand, resumeCommand, rollbackCommand } from "../projections/change.js";
import { parkedCommand } from "../projections/parked.js";
import { rebuildCommand } from "../projections/rebuild.js";
import { statusCommand } from "../projections/status.js";
import { verifyCommand } from "../projections/verify.js";

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
