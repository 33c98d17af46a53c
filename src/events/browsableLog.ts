import type { Position } from "../shared/position.js";
import type { EventType, RecordedEvent } from "./domainEvent.js";
import type { StreamCategory, StreamName } from "./streams.js";

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
  /** In the order that was asked for; may be empty. Those that cannot be read are stood in for, as in subscriptions. */
  readonly events: readonly RecordedEvent[];
  /** Everything from the start up to this position, inclusive, was looked through. */
  readonly position: Position;
}

/** The log as people look through it: in either direction, a stretch at a time, up to its end as it is at the start. */
export interface BrowsableLog {
  browse(request: BrowseRequest): AsyncIterable<BrowsedStretch>;
}
