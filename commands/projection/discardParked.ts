import type { Commands } from "../commands.js";
import type { CommandServices } from "../services.js";
import { handleProjection, projectionNamed } from "./handleProjection.js";

/**
 * Passes over an event that could not be applied, for good; refused of one that takes something away. Discarding it
 * again changes nothing.
 */
export const createDiscardParked =
  (services: CommandServices): Commands["discardParked"] =>
  ({ name, version, position, eventType }, context) =>
    handleProjection(services, projectionNamed(name), context, (projection) => ({
      type: "DiscardParked",
      projection,
      version,
      position: position.toString(),
      eventType,
    }));
