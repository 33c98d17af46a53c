import type { CommandContext, CommandResult } from "../command.js";
import type { CommandServices } from "../services.js";
import { handleProjection, readModelNamed, type ProjectionReference } from "./handleProjection.js";

/** Goes back to the version that was served before, once it has caught up. */
export function rollBackProjection(
  services: CommandServices,
  { name }: ProjectionReference,
  context: CommandContext,
): CommandResult<null> {
  return handleProjection(services, readModelNamed(name), context, (projection) => ({ type: "RollBack", projection }));
}
