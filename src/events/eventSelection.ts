import type { Position } from "../shared/position.js";
import type { EventType, RecordedEvent } from "./domainEvent.js";
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

/** A page of the events that are wanted, in the order of the log or against it. null: whatever it is. */
export interface AskEventPage extends Omit<EventSelection, "follow"> {
  readonly order: "forwards" | "backwards";
  readonly type: EventType | null;
  /** What a person is known by: those that he did, or that name him. */
  readonly about: readonly string[] | null;
  /** Epoch milliseconds, inclusive, by the log's clock. */
  readonly since: number | null;
  readonly until: number | null;
  readonly correlationId: string | null;
  readonly causationId: string | null;
  /** Where the page before ended. */
  readonly next: Position | null;
  readonly count: number;
}

/** A page, and where to go on; null: there is nothing more. A page that is not full need not be the last. */
export interface EventPage {
  readonly events: readonly RecordedEvent[];
  readonly next: Position | null;
}
