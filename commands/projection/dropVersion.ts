import type { Commands } from "../commands.js";
import type { CommandServices } from "../services.js";
import { handleProjection, readModelNamed } from "./handleProjection.js";

/** Gives up a version that is not served: one that is kept, or the one under way. Dropping it again changes nothing. */
export const createDropVersion =
  (services: CommandServices): Commands["dropVersion"] =>
  ({ name, version }, context) =>
    handleProjection(services, readModelNamed(name), context, (projection) => ({
      type: "DropVersion",
      projection,
      version,
    }));
