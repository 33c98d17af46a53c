import { createValidate, json } from "typia";
import { toEmail } from "../../shared/ids.js";
import { tooShort } from "../validation/issue.js";
import { answerMessage, bodyMessage } from "../validation/message.js";
import type { DatasourceReference, DocumentIdText, EmailText } from "./texts.js";

/** Body of `POST /documents/check-access`. */
export interface CheckAccessMessage {
  datasource: DatasourceReference;
  document_id: DocumentIdText;
  user_email: EmailText;
}

export const checkAccessMessage = bodyMessage(
  json.schema<CheckAccessMessage>(),
  createValidate<CheckAccessMessage>(),
  ({ user_email: email }) => (toEmail(email) === "" ? [tooShort(["body", "user_email"], 1)] : []),
);

/** Answer of `POST /documents/check-access`. */
export interface CheckAccessAnswer {
  has_access: boolean;
  datasource: string;
  document_id: string;
  user_email: string;
}

export const checkAccessAnswer = answerMessage(json.schema<CheckAccessAnswer>());
