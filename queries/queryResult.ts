import type { QueryExcess } from "../src/analysis/queryBounds.js";
import type { Position } from "../src/shared/position.js";
import type { Result } from "../src/shared/result.js";

/** Why a question has no answer: expected. One table in `src/http` turns each into status and body. */
export type QueryFailure =
  | { readonly type: "DatasourceNotFound"; readonly datasource: string }
  | { readonly type: "GroupNotFound"; readonly datasource: string; readonly group: string }
  | { readonly type: "UserNotFound"; readonly datasource: string; readonly email: string }
  /** Absent from the index, or not visible to the person: the same answer on purpose. */
  | { readonly type: "DocumentNotFound"; readonly id: string }
  /** A value of the `data_source` filter that can be no datasource's name and no compound of one with its subs. */
  | { readonly type: "UnknownDatasourceFilter"; readonly value: string }
  /** It holds more words or phrases than a search takes: what was left out would not count. */
  | ({ readonly type: "QueryTooLarge" } & QueryExcess)
  /** The read model did not reach the consistency token in time; retry. */
  | { readonly type: "NotYetConsistent"; readonly waitedMs: number }
  /** The consistency token is none of this log: the log has not come so far. */
  | { readonly type: "TokenBeyondLog" }
  /** The group closure of this datasource is parked: access fails closed. */
  | { readonly type: "AccessUnavailable"; readonly datasource: string }
  /** It is no read model that people are answered from: there is nothing to compare. */
  | { readonly type: "NotComparable"; readonly projection: string }
  /** There is no such version, or none any more. */
  | { readonly type: "VersionNotFound"; readonly projection: string; readonly version: number }
  /** It was served before and is kept: nothing is projected into it, so it cannot be held against the log. */
  | { readonly type: "VersionStandsStill"; readonly projection: string; readonly version: number }
  | { readonly type: "ParkedEventNotFound"; readonly projection: string; readonly position: string }
  /** The read model does not come as far as the log; it is paused, or waits for its engine. */
  | { readonly type: "ReadModelBehind"; readonly projection: string }
  /**
   * An event that an answer about the past rests on is parked; null: it is not known of which datasource. Nothing is
   * left out in silence.
   */
  | { readonly type: "HistoryParked"; readonly datasource: string | null }
  /** The permission history did not reach the moment of a question in time; retry. */
  | { readonly type: "HistoryBehind"; readonly waitedMs: number }
  /** A question about the past that names a time, or a position, that has not come yet. */
  | { readonly type: "MomentInFuture"; readonly parameter: string }
  /** An export that ends before it begins. */
  | { readonly type: "ExportRangeReversed" };

export type QueryResult<Value> = Promise<Result<Value, QueryFailure>>;

export interface Consistency {
  /** At least this position must be served; null: whatever is projected. */
  readonly atLeast: Position | null;
}
