import type { Position } from "../shared/position.js";
import type { StreamCategory, StreamName } from "./streams.js";

/** Which events of the log are wanted. */
export interface EventSelection {
  /** null: of any stream. */
  readonly stream: StreamName | null;
  /** null: of any category. */
  readonly category: StreamCategory | null;
  /** From this position on; null: from the first. */
  readonly from: Position | null;
  /** Goes on as events happen; else it ends where the log does now. */
  readonly follow: boolean;
}
