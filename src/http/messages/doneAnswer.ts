import { json } from "typia";
import { answerMessage } from "../validation/message.js";

/** Answer of a write that has nothing to add. */
export interface DoneAnswer {
  status: "ok";
}

export const doneAnswer = answerMessage(json.schema<DoneAnswer>());
