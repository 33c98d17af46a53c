import type { Commands } from "../commands.js";
import type { CommandServices } from "../services.js";
import { handleProjection, readModelNamed } from "./handleProjection.js";

/** Serves the version under way; refused where it has not been compared, or differs and was not accepted. */
export const createActivateVersion =
  (services: CommandServices): Commands["activateVersion"] =>
  ({ name, version }, context) =>
    handleProjection(services, readModelNamed(name), context, (projection) => ({
      type: "ActivateVersion",
      projection,
      version,
    }));
