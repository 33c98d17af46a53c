import type { Commands } from "../commands.js";
import type { CommandServices } from "../services.js";
import { handleProjection, readModelNamed } from "./handleProjection.js";

/** Starts a new version of a read model beside the one that is served. Refused while another is under way. */
export const createRebuildProjection =
  (services: CommandServices): Commands["rebuildProjection"] =>
  ({ name, verify, keep, accepted }, context) =>
    handleProjection(services, readModelNamed(name), context, (projection) => ({
      type: "StartRebuild",
      projection,
      verify,
      keep,
      accepted,
    }));
