import { json } from "typia";
import { answerMessage } from "../validation/message.js";

/** Answer of the health routes. */
export interface HealthAnswer {
  status: "alive" | "ready" | "starting" | "disk_full";
}

export const healthAnswer = answerMessage(json.schema<HealthAnswer>());
