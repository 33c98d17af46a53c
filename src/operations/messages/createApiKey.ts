import { createValidate, json } from "typia";
import type { KeyRole } from "../../shared/credential.js";
import type { Language } from "../../shared/language.js";
import { answerMessage, bodyMessage } from "../../http/validation/message.js";
import type { EmailText } from "../../http/messages/texts.js";
import { expiryIssues, type ExpiryText } from "./expiry.js";

/** Body of `POST /api/admin/api-keys`. */
export interface CreateApiKeyMessage {
  /** The login email of the person who searches with it. Default: one's own. */
  email?: EmailText | null;
  /** What it may do besides searching. Default: nothing. */
  roles?: KeyRole[] | null;
  /** What the person reads: of equal matches documents in it come first, where a search names no language. Default: the query's own. */
  language?: Language | null;
  /** When it stops working. Default: never. */
  expires_at?: ExpiryText | null;
}

export const createApiKeyMessage = bodyMessage(
  json.schema<CreateApiKeyMessage>(),
  createValidate<CreateApiKeyMessage>(),
  ({ expires_at: expiry }) => expiryIssues(expiry),
);

/** Answer of `POST /api/admin/api-keys`. */
export interface CreatedApiKeyAnswer {
  id: string;
  email: string;
  roles: KeyRole[];
  /** null: the query's own. */
  language: Language | null;
  /** null: never. */
  expires_at: string | null;
  /** Shown this once, and stored nowhere. */
  key: string;
}

export const createdApiKeyAnswer = answerMessage(json.schema<CreatedApiKeyAnswer>());
