import { json } from "typia";
import { answerMessage } from "../validation/message.js";

/** Answer of the user routes. */
export interface UserAnswer {
  status: "ok";
  datasource: string;
  user: { email: string; name: string | null };
}

export const userAnswer = answerMessage(json.schema<UserAnswer>());
