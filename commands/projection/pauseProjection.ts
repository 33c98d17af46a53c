import type { CommandContext, CommandResult } from "../command.js";
import type { CommandServices } from "../services.js";
import { handleProjection, projectionNamed, type ProjectionReference } from "./handleProjection.js";

/** Lets a projection stand still until it is resumed. */
export function pauseProjection(
  services: CommandServices,
  { name }: ProjectionReference,
  context: CommandContext,
): CommandResult<null> {
  return handleProjection(services, projectionNamed(name), context, (projection) => ({
    type: "PauseProjection",
    projection,
  }));
}
