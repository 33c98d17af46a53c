import type { EventSource } from "../../../events/eventSource.js";
import type { DatasourceId, DatasourceName } from "../../../shared/ids.js";
import type { Position } from "../../../shared/position.js";
import type { PermissionHistory } from "../../../audit/ports/permissionHistory.js";
import type { KeptLogClock } from "../../../audit/ports/log.js";
import type { Checkpointed } from "../../../../queries/ports.js";
import type { Difference } from "../answers.js";
import type { Sample } from "../sampling.js";
import type { HistorySubject, HistorySubjectKind } from "./historySubjects.js";
import { still } from "../../../audit/visibility/intervalSet.js";
import type { Interval } from "../../../audit/timeline/intervals.js";

/** One version of the permission history, as those ask it who compare. */
export interface ComparedHistory {
  readonly history: PermissionHistory;
  readonly clock: KeptLogClock & Checkpointed;
}

export interface HistoryComparison {
  readonly log: EventSource;
  /** What is checked. */
  readonly served: ComparedHistory;
  /** Another version, which is taken to be right; left out: what the log says, folded here afresh. */
  readonly against?: ComparedHistory;
  /** Left out: everything. */
  readonly sample?: Sample;
  /** Further: only subjects with these keys; see `historyKey`. */
  readonly only?: ReadonlySet<string>;
  onProgress?(progress: { readonly compared: number; readonly done: number }): void;
  /** Waited for after each few subjects, so that others get their turn. */
  rest?(): Promise<void>;
  /** Ends the comparison with the signal's reason. */
  readonly signal?: AbortSignal;
  readonly limits?: Partial<HistoryLimits>;
}

export interface HistoryLimits {
  /** Intervals, and things that have them, that are in memory at a time: some 150 bytes each. */
  readonly held: number;
  /** With this many differences the comparison ends. */
  readonly drift: number;
  /** How long a history that comes no further is waited for. */
  readonly reachMs: number;
}

/** Something that is known otherwise than it should be. */
export interface HistoryDrift {
  readonly subject: HistorySubject;
  /** The name that people know it by. */
  readonly name: string;
  readonly differences: readonly Difference[];
  /** False where the registration of its datasource is not known at all. */
  readonly hasRegistration: boolean;
  /** The name that its datasource was registered by, in the log. */
  readonly registeredAs: DatasourceName | null;
}

export interface HistoryReport {
  /** What was compared is as of this position: what comes later changes nothing of that. */
  readonly position: Position;
  readonly compared: Readonly<Record<HistorySubjectKind, number>>;
  readonly drift: readonly HistoryDrift[];
  /**
   * Datasources of which nothing is known from some position on, because an event is parked. They were not compared.
   */
  readonly suspended: readonly { readonly name: DatasourceName; readonly datasourceId: DatasourceId }[];
  /** True where nothing is known of any datasource from some position on. */
  readonly isSuspended: boolean;
  /** False where the limit of differences was reached and the rest was not looked at. */
  readonly complete: boolean;
}

/** When something was so: `[opened, closed]`, in order; `still` where it has not ended. */
export type Spans = readonly (readonly [opened: number, closed: number])[];

/** Words such as `from 4 to 10, from 12 on`. */
export const describeSpans = (spans: Spans): string =>
  spans.map(([opened, closed]) => (closed === still ? `from ${opened} on` : `from ${opened} to ${closed}`)).join(", ");

/** The same of what the log tells. */
export const intervalsInWords = (intervals: readonly Interval[]): string =>
  describeSpans(
    intervals.map(({ opened, closed }) => [Number(opened.position), closed === null ? still : Number(closed.position)]),
  );
