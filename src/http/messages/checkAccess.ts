import { createValidate, json, type tags } from "typia";
import { answerMessage, bodyMessage } from "../validation/message.js";
import type { DatasourceReference, DocumentIdText, EmailText } from "./texts.js";
import { emptyEmailIssues } from "./foldedNames.js";

/** Body of `POST /documents/check-access`. */
export interface CheckAccessMessage {
  datasource: DatasourceReference;
  document_id: DocumentIdText;
  user_email: EmailText;
}

export const checkAccessMessage = bodyMessage(
  json.schema<CheckAccessMessage>(),
  createValidate<CheckAccessMessage>(),
  ({ user_email: email }) => emptyEmailIssues(["body", "user_email"], email),
);

/** Answer of `POST /documents/check-access`. */
export interface CheckAccessAnswer {
  has_access: boolean;
  datasource: string;
  document_id: string;
  user_email: string;
}

export const checkAccessAnswer = answerMessage(json.schema<CheckAccessAnswer>());

/** Body of `POST /documents/check-access/batch`. */
export interface CheckAccessesMessage {
  /** Each as the single form asks it. */
  checks: CheckAccessMessage[] & tags.MinItems<1> & tags.MaxItems<1000>;
}

export const checkAccessesMessage = bodyMessage(
  json.schema<CheckAccessesMessage>(),
  createValidate<CheckAccessesMessage>(),
  ({ checks }) =>
    checks.flatMap(({ user_email: email }, index) => emptyEmailIssues(["body", "checks", index, "user_email"], email)),
);

/** What the single form would have answered where it refuses. */
export interface RefusedCheck {
  status: number & tags.Type<"int32">;
  detail: string;
}

/** One check's answer. */
export interface CheckedAccess {
  /** null: nobody can tell; `error` says why. */
  has_access: boolean | null;
  datasource: string;
  document_id: string;
  user_email: string;
  error?: RefusedCheck;
}

/** Answer of `POST /documents/check-access/batch`: one result for each check, in order. */
export interface CheckAccessesAnswer {
  results: CheckedAccess[];
}

export const checkAccessesAnswer = answerMessage(json.schema<CheckAccessesAnswer>());
