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

/** Which part of the log to look through, and what for. */
export interface BrowseRequest {
  readonly order: "forwards" | "backwards";
  /** Where to begin; null: at the beginning, or, backwards, at the end. */
  readonly start: { readonly position: Position; readonly inclusive: boolean } | null;
  /** null: any of these categories. */
  readonly stream: StreamName | null;
  readonly categories: readonly StreamCategory[];
  /** null: of any type. */
  readonly type: EventType | null;
  /** In data or metadata at least one of these texts stands; none: anything may. Others may be delivered as well. */
  readonly mentioning: readonly string[];
  readonly maxBatchSize: number;
}

/** What was looked through since the stretch before. */
export interface BrowsedStretch {
  /**
   * The events in the order that was asked for; may be empty. Stand-ins take the place of unreadable ones, as in
   * subscriptions.
   */
  readonly events: readonly RecordedEvent[];
  /** Everything from the start up to this position, inclusive, was looked through. */
  readonly position: Position;
}

/** The log as people look through it: in either direction, a stretch at a time, up to its end as it is at the start. */
export interface BrowsableLog {
  browse(request: BrowseRequest): AsyncIterable<BrowsedStretch>;
}
