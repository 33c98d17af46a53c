import type { Commands } from "../commands.js";
import type { CommandServices } from "../services.js";
import { handleProjection, readModelNamed } from "./handleProjection.js";

/**
 * Records what came of comparing the version under way with the one that is served; of any other version it is passed
 * over.
 */
export const createRecordComparison =
  (services: CommandServices): Commands["recordComparison"] =>
  ({ name, version, comparison }, context) =>
    handleProjection(services, readModelNamed(name), context, (projection) => ({
      type: "RecordComparison",
      projection,
      version,
      comparison,
    }));
