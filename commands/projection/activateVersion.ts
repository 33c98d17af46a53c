import type { CommandContext, CommandResult } from "../command.js";
import type { CommandServices } from "../services.js";
import { handleProjection, readModelNamed, type VersionReference } from "./handleProjection.js";

/** Serves the version under way; refused where it has not been compared, or differs and was not accepted. */
export function activateVersion(
  services: CommandServices,
  { name, version }: VersionReference,
  context: CommandContext,
): CommandResult<null> {
  return handleProjection(services, readModelNamed(name), context, (projection) => ({
    type: "ActivateVersion",
    projection,
    version,
  }));
}
