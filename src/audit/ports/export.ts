import type { RecordedEvent } from "../../events/domainEvent.js";
import type { Position } from "../../shared/position.js";
import type { PermissionEvent } from "../export/exportedFacts.js";

/** A stretch of the log. */
interface PermissionEvents {
  /** In log order. Empty where only the position moved on. */
  readonly events: readonly RecordedEvent<PermissionEvent>[];
  /** Everything up to and including this position has been delivered. */
  readonly position: Position;
}

/** The log as an export reads it: from its beginning, in its order. */
export interface PermissionLog {
  /** Position of the newest event; `beginning` for an empty log. */
  head(): Promise<Position>;
  /**
   * The events of the categories that hold permission facts, up to and including `upTo`, which the log has reached.
   * Throws where the signal aborts, or an event cannot be read: an export must not leave one out.
   */
  events(upTo: Position, signal: AbortSignal): AsyncIterable<PermissionEvents>;
}

/** The key that signs exports: Ed25519. */
export interface ExportSigner {
  /** SubjectPublicKeyInfo, DER. */
  readonly publicKey: Buffer;
  sign(bytes: Buffer): Buffer;
}
