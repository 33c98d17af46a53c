import type { Position } from "../../shared/position.js";

/** An event that could not be applied, and what fails closed meanwhile. */
export interface ParkedEventAnswer {
  position: string;
  stream: string;
  event: string;
  scope: string;
  error: string;
  /** False where leaving it out would let people keep what they have lost. */
  may_be_discarded: boolean;
}

export interface ParkedAnswer {
  projection: string;
  version: number;
  parked: ParkedEventAnswer[];
}

/** The events that projections could not apply. */
export interface ParkedEvents {
  /** In log order; of an unknown projection none. */
  list(projection: string): Promise<ParkedAnswer>;
  /** Waits until what was asked of a projection at this position has been done; false where that took too long. */
  waitUntilProjected(projection: string, position: Position): Promise<boolean>;
}
