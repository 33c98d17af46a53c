import type { ComparisonSummary } from "../../src/events/projection.js";
import type { CommandContext, CommandResult } from "../command.js";
import type { CommandServices } from "../services.js";
import { handleProjection, readModelNamed, type VersionReference } from "./handleProjection.js";

interface RecordComparison extends VersionReference {
  readonly comparison: ComparisonSummary;
}

/**
 * Records what came of comparing the version under way with the one that is served; of any other version it is passed
 * over.
 */
export function recordComparison(
  services: CommandServices,
  { name, version, comparison }: RecordComparison,
  context: CommandContext,
): CommandResult<null> {
  return handleProjection(services, readModelNamed(name), context, (projection) => ({
    type: "RecordComparison",
    projection,
    version,
    comparison,
  }));
}
