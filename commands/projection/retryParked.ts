import type { Commands } from "../commands.js";
import type { CommandServices } from "../services.js";
import { handleProjection, projectionNamed } from "./handleProjection.js";

/** Lets an event that could not be applied be applied again. */
export const createRetryParked =
  (services: CommandServices): Commands["retryParked"] =>
  ({ name, version, position }, context) =>
    handleProjection(services, projectionNamed(name), context, (projection) => ({
      type: "RetryParked",
      projection,
      version,
      position: position.toString(),
    }));
