import { createValidate, json, type tags } from "typia";
import type { VerificationAnswer } from "../verify/verification.js";
import { answerMessage, bodyMessage } from "../../http/validation/message.js";

/** Body of `POST /api/admin/projections/{name}/verify`. */
export interface VerifyMessage {
  /** How large a part of everything is looked at. Default: 1, all of it. */
  sample?: (number & tags.Minimum<0> & tags.Maximum<1>) | null;
  /** Chooses the part; the same one chooses the same part again. Default: another one each time. */
  seed?: (string & tags.MaxLength<128>) | null;
  /** Make afresh what differs. Default: false. */
  repair?: boolean | null;
  /** The one that is being built, to see where it differs from the log. Default: the one that is served. */
  version?: (number & tags.Type<"int32"> & tags.Minimum<1>) | null;
}

export const verifyMessage = bodyMessage(json.schema<VerifyMessage>(), createValidate<VerifyMessage>());

export const verificationAnswer = answerMessage(json.schema<VerificationAnswer>());
