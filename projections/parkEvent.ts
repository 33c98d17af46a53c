import type { RecordedEvent } from "../src/events/domainEvent.js";
import { formatScope } from "../src/events/scope.js";
import type { Position } from "../src/shared/position.js";
import type { ParkedEvent, Projection, ProjectionWriter } from "./ports.js";

interface Parking<Change> {
  readonly projection: Projection<Change>;
  readonly writer: ProjectionWriter<Change>;
  /** Called once it is written. */
  onParked(event: ParkedEvent): void;
}

/**
 * Parks an event that cannot be applied for this reason, and closes its scope, in one transaction from one checkpoint
 * to another.
 */
export async function parkEvent<Change>(
  { projection, writer, onParked }: Parking<Change>,
  event: RecordedEvent,
  reason: unknown,
  checkpoint: { readonly after: Position; readonly position: Position },
): Promise<"applied" | "checkpointConflict"> {
  const { scope, changes } = projection.failClosed(event);
  const { position, stream } = event;
  const parked = {
    position,
    stream,
    eventType: typeOf(event),
    scope: formatScope(scope),
    error: reason instanceof Error ? reason.message : String(reason),
  };
  // A scope that is projected afresh is parked as of the checkpoint, which may lie before the event.
  const landmarks = position <= checkpoint.position ? [event] : [];
  const outcome = await writer.apply({ ...checkpoint, changes, parked: [parked], landmarks });
  if (outcome === "applied") onParked(parked);
  return outcome;
}

/** The event's type as the log gives it, also for an event that cannot be read. */
export const typeOf = ({ event, unreadable }: RecordedEvent): string => unreadable?.type ?? event.type;
