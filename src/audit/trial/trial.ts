import type { Commands } from "../../../commands/commands.js";
import type { DomainEvent } from "../../events/domainEvent.js";
import type { Position } from "../../shared/position.js";

/** The write side on a log that forgets: what commands append is in memory, on top of what the log held. */
interface Trial {
  readonly commands: Commands;
  /** Up to where the log counts. */
  readonly position: Position;
  /** What was appended by now. */
  events(): readonly DomainEvent[];
}

/**
 * Begins a trial on the log as it was at a position, or as it is now; null for a position that the log has not reached.
 */
export type OpenTrial = (at: Position | null) => Promise<Trial | null>;
