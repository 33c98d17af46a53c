import type { Commands } from "../commands.js";
import type { CommandServices } from "../services.js";
import { handleProjection, projectionNamed } from "./handleProjection.js";

/** Lets a paused projection go on from where it stands. */
export const createResumeProjection =
  (services: CommandServices): Commands["resumeProjection"] =>
  ({ name }, context) =>
    handleProjection(services, projectionNamed(name), context, (projection) => ({
      type: "ResumeProjection",
      projection,
    }));
