/**
 * Thrown by an adapter where the engine is at fault (down, full, locked) and not the request. A projection waits and
 * tries again; the sender of a command is told to come back (503). Any other error of a projection parks the event.
 */
export class EngineUnavailable extends Error {
  override readonly name: string = "EngineUnavailable";
}

/** The disk that the engine writes to is full. Nothing of what was asked is written. */
export class DiskFull extends EngineUnavailable {
  override readonly name = "DiskFull";
}

/** The clock of this machine is far behind the newest event of the log. Nothing of what was asked is written. */
export class ClockBehind extends EngineUnavailable {
  override readonly name = "ClockBehind";
}
