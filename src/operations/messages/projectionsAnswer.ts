import { json } from "typia";
import type { ProjectionsAnswer } from "../../readModels/projectionStatus.js";
import { answerMessage } from "../../http/validation/message.js";

export const projectionsAnswer = answerMessage(json.schema<ProjectionsAnswer>());
