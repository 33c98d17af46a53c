import { createValidate, json, type tags } from "typia";
import { tooShort } from "../../http/validation/issue.js";
import type { MaxCharacters } from "../../http/validation/maxCharacters.js";
import { answerMessage, bodyMessage } from "../../http/validation/message.js";
import type { Slug } from "../../http/messages/texts.js";
import { expiryIssues, type ExpiryText } from "./expiry.js";

/** Body of `POST /api/admin/service-accounts`. */
export interface CreateServiceAccountMessage {
  /** What it is for; shown in lists. */
  name: string & tags.MinLength<1> & MaxCharacters<200>;
  /** The datasources that it is limited to. Default: all. */
  datasources?: Slug[] | null;
  /** When it stops working. Default: never. */
  expires_at?: ExpiryText | null;
}

export const createServiceAccountMessage = bodyMessage(
  json.schema<CreateServiceAccountMessage>(),
  createValidate<CreateServiceAccountMessage>(),
  ({ name, expires_at: expiry }) => [
    ...(name.trim() === "" ? [tooShort(["body", "name"], 1)] : []),
    ...expiryIssues(expiry),
  ],
);

/** Answer of `POST /api/admin/service-accounts`. */
export interface CreatedServiceAccountAnswer {
  id: string;
  name: string;
  /** null: all. */
  datasources: string[] | null;
  /** null: never. */
  expires_at: string | null;
  /** Shown this once, and stored nowhere. */
  token: string;
}

export const createdServiceAccountAnswer = answerMessage(json.schema<CreatedServiceAccountAnswer>());
