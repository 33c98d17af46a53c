import type { CommandContext, CommandResult } from "../command.js";
import type { CommandServices } from "../services.js";
import { handleProjection, readModelNamed, type ProjectionReference } from "./handleProjection.js";

interface RebuildProjection extends ProjectionReference {
  /** Compare everything before the swap, not only counts and recent questions. */
  readonly verify: boolean;
  /** How many versions that were served before are kept. */
  readonly keep: number;
  /** Serve the new version whatever the comparison finds. */
  readonly accepted: boolean;
}

/** Starts a new version of a read model beside the one that is served. Refused while another is under way. */
export function rebuildProjection(
  services: CommandServices,
  { name, verify, keep, accepted }: RebuildProjection,
  context: CommandContext,
): CommandResult<null> {
  return handleProjection(services, readModelNamed(name), context, (projection) => ({
    type: "StartRebuild",
    projection,
    verify,
    keep,
    accepted,
  }));
}
