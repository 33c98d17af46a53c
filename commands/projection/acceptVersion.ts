import type { CommandContext, CommandResult } from "../command.js";
import type { CommandServices } from "../services.js";
import { handleProjection, readModelNamed, type ProjectionReference } from "./handleProjection.js";

/** Lets the version under way be served although it differs. */
export function acceptVersion(
  services: CommandServices,
  { name }: ProjectionReference,
  context: CommandContext,
): CommandResult<null> {
  return handleProjection(services, readModelNamed(name), context, (projection) => ({
    type: "AcceptVersion",
    projection,
  }));
}
