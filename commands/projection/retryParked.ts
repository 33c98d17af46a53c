import type { CommandContext, CommandResult } from "../command.js";
import type { CommandServices } from "../services.js";
import { handleProjection, projectionNamed, type ParkedReference } from "./handleProjection.js";

/** Lets an event that could not be applied be applied again. */
export function retryParked(
  services: CommandServices,
  { name, version, position }: ParkedReference,
  context: CommandContext,
): CommandResult<null> {
  return handleProjection(services, projectionNamed(name), context, (projection) => ({
    type: "RetryParked",
    projection,
    version,
    position: position.toString(),
  }));
}
