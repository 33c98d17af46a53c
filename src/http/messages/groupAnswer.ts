import { json } from "typia";
import { answerMessage } from "../validation/message.js";

/** Answer of the group routes. */
export interface GroupAnswer {
  status: "ok";
  datasource: string;
  group: { name: string };
}

export const groupAnswer = answerMessage(json.schema<GroupAnswer>());
