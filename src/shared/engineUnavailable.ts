/**
 * Thrown by an adapter where the engine is at fault (down, full, locked), not what it was asked: a projection waits and
 * tries again, and whoever gave a command is told to come back (503). Any other error of a projection parks the event.
 */
export class EngineUnavailable extends Error {
  override readonly name = "EngineUnavailable";
}
