import { createValidate, json, type tags } from "typia";
import type { Role } from "../../shared/credential.js";
import type { MaxCharacters } from "../validation/maxCharacters.js";
import { answerMessage, bodyMessage } from "../validation/message.js";
import type { EmailText } from "./texts.js";

/** Whether it is long enough is said with the other rules of passwords; no longer text is looked at. */
type PasswordText = string & tags.MinLength<1> & MaxCharacters<1024>;
type LinkSecret = string & tags.MinLength<1> & MaxCharacters<256>;

/** Body of `POST /api/session`. */
export interface SignInMessage {
  email: EmailText;
  password: PasswordText;
}

export const signInMessage = bodyMessage(json.schema<SignInMessage>(), createValidate<SignInMessage>());

/** Body of `POST /api/session/link`. */
export interface UseLinkMessage {
  email: EmailText;
  /** Of the link. */
  secret: LinkSecret;
  /** The one to sign in with from now on. */
  password: PasswordText;
}

export const useLinkMessage = bodyMessage(json.schema<UseLinkMessage>(), createValidate<UseLinkMessage>());

/** Body of `POST /api/session/password`. */
export interface ChangePasswordMessage {
  current: PasswordText;
  new: PasswordText;
}

export const changePasswordMessage = bodyMessage(
  json.schema<ChangePasswordMessage>(),
  createValidate<ChangePasswordMessage>(),
);

/** Who is signed in. */
export interface SessionAnswer {
  email: string;
  roles: Role[];
  /** What a page sends as `X-CSRF-Token` with whatever changes something. */
  csrf_token: string;
  /** From then on one has to sign in again, whatever one does. */
  expires_at: string;
  /** What the product is called. */
  product: string;
  /** Whether an identity provider is set up. */
  identity_provider: boolean;
}

export const sessionAnswer = answerMessage(json.schema<SessionAnswer>());

/** Answer of `GET /api/session/options`: what a form to sign in has to know. */
export interface SessionOptionsAnswer {
  product: string;
  /** Whether people may sign in at an identity provider. */
  identity_provider: boolean;
  /** Whether nobody has an account yet. */
  needs_first_account: boolean;
}

export const sessionOptionsAnswer = answerMessage(json.schema<SessionOptionsAnswer>());
