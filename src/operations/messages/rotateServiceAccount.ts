import { createValidate, json, type tags } from "typia";
import { answerMessage, bodyMessage } from "../../http/validation/message.js";

/** Body of `POST /api/admin/service-accounts/{id}/rotate`. */
export interface RotateServiceAccountMessage {
  /** For so long the token before goes on working. Default: 24. */
  overlap_hours?: (number & tags.Type<"int32"> & tags.Minimum<0> & tags.Maximum<720>) | null;
}

export const rotateServiceAccountMessage = bodyMessage(
  json.schema<RotateServiceAccountMessage>(),
  createValidate<RotateServiceAccountMessage>(),
);

/** Answer of `POST /api/admin/service-accounts/{id}/rotate`. */
export interface RotatedServiceAccountAnswer {
  id: string;
  /** Shown this once, and stored nowhere. */
  token: string;
  previous_token_ends_at: string;
}

export const rotatedServiceAccountAnswer = answerMessage(json.schema<RotatedServiceAccountAnswer>());
