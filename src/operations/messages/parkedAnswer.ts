import { json } from "typia";
import type { ParkedAnswer } from "../parked/parkedEvents.js";
import { answerMessage } from "../../http/validation/message.js";

export const parkedAnswer = answerMessage(json.schema<ParkedAnswer>());
