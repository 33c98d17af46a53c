import { json } from "typia";
import { answerMessage } from "../../http/validation/message.js";
import type { VisibilityAnswer } from "../historyQuestions.js";

export const visibilityAnswer = answerMessage(json.schema<VisibilityAnswer>());
