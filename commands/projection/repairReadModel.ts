import type { CommandContext, CommandResult } from "../command.js";
import type { CommandServices } from "../services.js";
import { handleProjection, projectionNamed, type VersionReference } from "./handleProjection.js";

interface RepairReadModel extends VersionReference {
  /** What is to be made afresh, in the projection's words. */
  readonly scopes: readonly string[];
}

/** Lets the projection make what it serves of these scopes afresh from the log. */
export function repairReadModel(
  services: CommandServices,
  { name, version, scopes }: RepairReadModel,
  context: CommandContext,
): CommandResult<null> {
  return handleProjection(services, projectionNamed(name), context, (projection) => ({
    type: "RepairReadModel",
    projection,
    version,
    scopes,
  }));
}
