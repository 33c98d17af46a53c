import { farApartMs } from "../events/foldedClock.js";
import type { DatasourceName, DocumentId } from "../shared/ids.js";
import type { Position } from "../shared/position.js";

/**
 * The moment that a question is about: now, a time in epoch milliseconds, or a position, with the time for which it was
 * found where that is known (null: before the first event).
 */
export type Moment =
  | { readonly kind: "now" }
  | { readonly kind: "time"; readonly time: number }
  | { readonly kind: "position"; readonly position: Position; readonly time?: number | null };

/** The moment as of which an answer holds, as it leaves the service. */
export interface DescribedMoment {
  /** ISO instant; null for a position before the first event. */
  at: string | null;
  /** The position of the last event that counts. */
  position: string;
  /**
   * The time of the newest event, where that lies more than an hour ahead of the clock of the service: one of the two
   * is wrong, and so may times in the answer be. The order of events is right all the same.
   */
  clock_ahead_at?: string;
}

/** One document, as people write it: `{datasource}/{id}`. */
export interface DocumentReference {
  readonly datasource: DatasourceName;
  readonly documentId: DocumentId;
}

/** Something that was so, and the event that made it so. */
export interface ExplainedFact {
  /** A sentence without a full stop. */
  fact: string;
  /** The event's type. */
  event: string;
  stream: string;
  revision: number;
  /** A whole number. */
  position: string;
  /** ISO instant at which it was decided, as the log's clock has it: never before the event before it. */
  time: string;
  /** The time that the event itself carries, where it lies more than an hour from that: a clock was wrong. */
  recorded_time?: string;
  /** The credential that asked for it; `operator` for the command line. */
  by: string;
  /** No permissions were sent with the document, so its datasource's `default_access` decided. */
  by_default?: true;
}

/** Says of a fact that the datasource decided, in words and for programs. */
export const decidedByDefault = <Fact extends Pick<ExplainedFact, "fact">>(
  fact: Fact,
): Fact & { by_default: true } => ({
  ...fact,
  fact: `${fact.fact}, as the datasource's default_access says: no permissions were sent`,
  by_default: true,
});

/** When an event was decided, by the log's clock, and what the event itself says of it. Both are ISO instants. */
export const describeTimes = (time: string, recorded: string): Pick<ExplainedFact, "time" | "recorded_time"> =>
  Math.abs(Date.parse(time) - Date.parse(recorded)) > farApartMs ? { time, recorded_time: recorded } : { time };

/** About now: what the log refuses is served all the same. */
export interface StillServed {
  /** The kind of the {@link MissingFact}. */
  kind: "being_projected" | "served_differently";
  /** One sentence or two. */
  detail: string;
}

/** What stands between a person and a document. */
export interface MissingFact {
  kind:
    | "datasource_absent"
    | "document_absent"
    | "not_registered"
    | "no_grant"
    | "group_absent"
    | "not_a_member"
    /** It is granted, and not served yet. */
    | "being_projected"
    /** It is granted, and not served before an operator has dealt with an event that could not be applied. */
    | "parked"
    /** It is granted, and what is served says otherwise: `projections verify` tells more. */
    | "served_differently";
  /** One sentence. */
  detail: string;
  /** The event that ended what once was. */
  ended?: ExplainedFact;
}
