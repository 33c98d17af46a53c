import type { Position } from "../shared/position.js";

/** An event that a projection could not apply. */
export interface ParkedEvent {
  readonly position: Position;
  readonly stream: string;
  readonly eventType: string;
  /** What fails closed meanwhile: a document, or a whole datasource. */
  readonly scope: string;
  readonly error: string;
}
