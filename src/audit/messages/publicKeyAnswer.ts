import { json } from "typia";
import type { PublicKeyAnswer } from "../export/auditExport.js";
import { answerMessage } from "../../http/validation/message.js";

export const publicKeyAnswer = answerMessage(json.schema<PublicKeyAnswer>());
