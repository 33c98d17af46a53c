import type { Commands } from "../commands.js";
import type { CommandServices } from "../services.js";
import { handleProjection, readModelNamed } from "./handleProjection.js";

/** Goes back to the version that was served before, once it has caught up. */
export const createRollBackProjection =
  (services: CommandServices): Commands["rollBackProjection"] =>
  ({ name }, context) =>
    handleProjection(services, readModelNamed(name), context, (projection) => ({ type: "RollBack", projection }));
