import type { Commands } from "../commands.js";
import type { CommandServices } from "../services.js";
import { handleProjection, projectionNamed } from "./handleProjection.js";

/** Lets a projection stand still until it is resumed. */
export const createPauseProjection =
  (services: CommandServices): Commands["pauseProjection"] =>
  ({ name }, context) =>
    handleProjection(services, projectionNamed(name), context, (projection) => ({
      type: "PauseProjection",
      projection,
    }));
