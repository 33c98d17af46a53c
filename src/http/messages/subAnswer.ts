import { json } from "typia";
import { answerMessage } from "../validation/message.js";

/** A sub as it is answered. */
export interface SubAnswer {
  name: string;
  key: string;
  /** null for a top-level sub. */
  parent_key: string | null;
  subs: SubAnswer[];
}

export const subAnswer = answerMessage(json.schema<SubAnswer>());
