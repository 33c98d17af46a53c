import type { AnswerEvent, WebQuerySent } from "../../src/events/answer.js";
import { ok } from "../../src/shared/result.js";
import type { Aggregate, Decision } from "../aggregate.js";

/** Nothing depends on what left before. */
type AnswerState = null;

interface RecordWebQueryCommand {
  readonly type: "RecordWebQuery";
  readonly sent: WebQuerySent["data"];
}

const initialState = (): AnswerState => null;

const evolve = (_state: AnswerState, _event: AnswerEvent): AnswerState => null;

/** Each one counts, also the same once more. */
export const decide = ({ sent }: RecordWebQueryCommand, _state: AnswerState): Decision<AnswerEvent> =>
  ok([{ type: "WebQuerySent", data: sent }]);

export const answerAggregate: Aggregate<AnswerState, AnswerEvent> = {
  initialState,
  evolve,
  cacheCost: () => 1,
  latestKnownEvent: true,
};
