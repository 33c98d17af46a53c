import { createValidate, json } from "typia";
import { bodyMessage } from "../../http/validation/message.js";
import type { PositionText } from "./positionText.js";

/** Body of `POST /api/admin/projections/{name}/parked/retry`. */
export interface RetryParkedMessage {
  /** Of a parked event. Left out: all of them. */
  position?: PositionText | null;
}

export const retryParkedMessage = bodyMessage(json.schema<RetryParkedMessage>(), createValidate<RetryParkedMessage>());
