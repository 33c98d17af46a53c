import type { CommandContext, CommandResult } from "../command.js";
import type { CommandServices } from "../services.js";
import { handleProjection, readModelNamed, type VersionReference } from "./handleProjection.js";

/** Gives up a version that is not served: one that is kept, or the one under way. Dropping it again changes nothing. */
export function dropVersion(
  services: CommandServices,
  { name, version }: VersionReference,
  context: CommandContext,
): CommandResult<null> {
  return handleProjection(services, readModelNamed(name), context, (projection) => ({
    type: "DropVersion",
    projection,
    version,
  }));
}
