import type { CommandContext, CommandResult } from "../command.js";
import type { CommandServices } from "../services.js";
import { handleProjection, projectionNamed, type ParkedReference } from "./handleProjection.js";

interface DiscardParked extends ParkedReference {
  /** The type of the event, as it is parked. */
  readonly eventType: string;
}

/**
 * Passes over an event that could not be applied, for good; refused of one that takes something away. Discarding it
 * again changes nothing.
 */
export function discardParked(
  services: CommandServices,
  { name, version, position, eventType }: DiscardParked,
  context: CommandContext,
): CommandResult<null> {
  return handleProjection(services, projectionNamed(name), context, (projection) => ({
    type: "DiscardParked",
    projection,
    version,
    position: position.toString(),
    eventType,
  }));
}
