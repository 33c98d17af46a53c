import type { AuditQuestionAnswered, AuditQuestionEvent } from "../../src/events/auditQuestion.js";
import { ok } from "../../src/shared/result.js";
import type { Aggregate, Decision } from "../aggregate.js";

/** The question that was answered last; null: none yet. */
type AuditQuestionState = AuditQuestionAnswered["data"] | null;

export interface RecordAuditQuestionCommand {
  readonly answered: AuditQuestionAnswered["data"];
  /** The answer is another page of what was asked before. */
  readonly isLaterPage: boolean;
}

export const initialState = (): AuditQuestionState => null;

export const evolve = (_state: AuditQuestionState, { data }: AuditQuestionEvent): AuditQuestionState => data;

/** A later page counts with its question where nothing else was asked between them, and is one of its own elsewhere. */
export function decide(
  { answered, isLaterPage }: RecordAuditQuestionCommand,
  state: AuditQuestionState,
): Decision<AuditQuestionEvent> {
  const isRecorded = isLaterPage && JSON.stringify(state) === JSON.stringify(answered);
  return ok(isRecorded ? [] : [{ type: "AuditQuestionAnswered", data: answered }]);
}

export const auditQuestionAggregate: Aggregate<AuditQuestionState, AuditQuestionEvent> = {
  initialState,
  evolve,
  cacheCost: () => 1,
  latestKnownEvent: true,
};
