import { failed, type Result } from "../../shared/result.js";
import type { QueryFailure } from "../../../queries/queries.js";
import type { HistoryAnswer } from "../historyQuestions.js";
import type { Incarnation, PermissionHistory } from "../ports/permissionHistory.js";

type Parked = Extract<QueryFailure, { readonly type: "HistoryParked" }>;
/** An answer about the past, or that an event on which it rests is parked. */
export type Answered = Result<HistoryAnswer, Parked>;

/**
 * A failure that names the first of these datasources of which an event is parked. Where there are no datasources, any
 * parked event counts. null: everything is known.
 */
export function findParked(
  history: PermissionHistory,
  incarnations: readonly Incarnation[],
  position: number,
): Answered | null {
  const isUnknown = (from: number | null): boolean => from !== null && from <= position;
  const parked = incarnations.find(({ datasourceId }) => isUnknown(history.suspendedFrom(datasourceId)));
  if (parked !== undefined) return failed({ type: "HistoryParked", datasource: parked.name });
  return incarnations.length === 0 && isUnknown(history.suspendedFrom())
    ? failed({ type: "HistoryParked", datasource: null })
    : null;
}
