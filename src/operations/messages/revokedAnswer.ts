import { json } from "typia";
import { answerMessage } from "../../http/validation/message.js";

/** Answer of the routes that revoke a credential. */
export interface RevokedAnswer {
  id: string;
  revoked: true;
}

export const revokedAnswer = answerMessage(json.schema<RevokedAnswer>());
