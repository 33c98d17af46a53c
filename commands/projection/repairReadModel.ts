import type { Commands } from "../commands.js";
import type { CommandServices } from "../services.js";
import { handleProjection, projectionNamed } from "./handleProjection.js";

/** Lets the projection make what it serves of these scopes afresh from the log. */
export const createRepairReadModel =
  (services: CommandServices): Commands["repairReadModel"] =>
  ({ name, version, scopes }, context) =>
    handleProjection(services, projectionNamed(name), context, (projection) => ({
      type: "RepairReadModel",
      projection,
      version,
      scopes,
    }));
