import { createValidate, json } from "typia";
import { bodyMessage } from "../../http/validation/message.js";
import type { PositionText } from "./positionText.js";

/** Body of `POST /api/admin/projections/{name}/parked/discard`. */
export interface DiscardParkedMessage {
  /** Of a parked event. */
  position: PositionText;
}

export const discardParkedMessage = bodyMessage(
  json.schema<DiscardParkedMessage>(),
  createValidate<DiscardParkedMessage>(),
);
