import { createValidate, json } from "typia";
import type { MaxCharacters } from "../validation/maxCharacters.js";
import { bodyMessage } from "../validation/message.js";
import { emailIssues } from "./foldedNames.js";
import type { DatasourceReference, PersonName } from "./texts.js";

/** A person who may search the datasource. */
export interface UserMessage {
  /** The login email. Missing, empty or blank is 400. */
  email?: (string & MaxCharacters<254>) | null;
  /** For display alone. */
  name?: PersonName | null;
}

/** Body of `POST /users`. */
export interface RegisterUserMessage {
  datasource: DatasourceReference;
  user: UserMessage;
}

export const registerUserMessage = bodyMessage(
  json.schema<RegisterUserMessage>(),
  createValidate<RegisterUserMessage>(),
  ({ user }) => emailIssues(["body", "user", "email"], user.email ?? ""),
);
