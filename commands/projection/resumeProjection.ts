import type { CommandContext, CommandResult } from "../command.js";
import type { CommandServices } from "../services.js";
import { handleProjection, projectionNamed, type ProjectionReference } from "./handleProjection.js";

/** Lets a paused projection go on from where it stands. */
export function resumeProjection(
  services: CommandServices,
  { name }: ProjectionReference,
  context: CommandContext,
): CommandResult<null> {
  return handleProjection(services, projectionNamed(name), context, (projection) => ({
    type: "ResumeProjection",
    projection,
  }));
}
