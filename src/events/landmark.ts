import type { Position } from "../shared/position.js";

/**
 * An event by which a log is known again. Its id is random, so no other log has it there, unless one of the two is a
 * copy of the other up to here. Every recorded event is one.
 */
export interface Landmark {
  readonly position: Position;
  readonly id: string;
}

/** How far something has followed a log, and which log that was. */
export interface Checkpoint {
  /** Everything up to and including this position was followed. */
  readonly position: Position;
  /** The newest event up to there of which the id is known; null: of none, as in what an older program wrote. */
  readonly landmark: Landmark | null;
}

/** The newest of some landmarks, in log order, that does not come after a position. */
export const landmarkUpTo = (landmarks: readonly Landmark[], position: Position): Landmark | null =>
  landmarks.findLast((landmark) => landmark.position <= position) ?? null;
