import { createValidate, json, type tags } from "typia";
import type { Role } from "../../shared/credential.js";
import type { MaxCharacters } from "../../http/validation/maxCharacters.js";
import { answerMessage, bodyMessage } from "../../http/validation/message.js";
import type { EmailText } from "../../http/messages/texts.js";

/** Body of `POST /api/admin/accounts`. */
export interface CreateAccountMessage {
  /** The login email. */
  email: EmailText;
  /** Default: none, which is enough to search. */
  roles?: Role[] | null;
  /** For the command line alone: the person has one already. Default: the answer has a link with which they set one. */
  password?: (string & tags.MinLength<1> & MaxCharacters<1024>) | null;
}

export const createAccountMessage = bodyMessage(
  json.schema<CreateAccountMessage>(),
  createValidate<CreateAccountMessage>(),
);

/** Body of `PUT /api/admin/accounts/{email}/roles`. */
export interface SetRolesMessage {
  /** All that the account is to have. */
  roles: Role[];
}

export const setRolesMessage = bodyMessage(json.schema<SetRolesMessage>(), createValidate<SetRolesMessage>());

/** A link with which a password is set, once. */
export interface AccountLinkAnswer {
  /** Shown this once, and stored nowhere. What is secret of it is behind the `#`. */
  url: string;
  expires_at: string;
}

/** Answer of `POST /api/admin/accounts`. */
export interface CreatedAccountAnswer {
  email: string;
  roles: Role[];
  /** null: a password was given. */
  link: AccountLinkAnswer | null;
}

export const createdAccountAnswer = answerMessage(json.schema<CreatedAccountAnswer>());

/** Answer of `POST /api/admin/accounts/{email}/link`. */
export interface IssuedLinkAnswer {
  email: string;
  link: AccountLinkAnswer;
}

export const issuedLinkAnswer = answerMessage(json.schema<IssuedLinkAnswer>());

/** Answer of `PUT /api/admin/accounts/{email}/roles`. */
export interface AccountRolesAnswer {
  email: string;
  roles: Role[];
}

export const accountRolesAnswer = answerMessage(json.schema<AccountRolesAnswer>());

/** Whether somebody can sign in with an account. */
export type AccountStatus = "enabled" | "disabled";

/** Answer of the routes that disable and enable an account. */
export interface AccountStateAnswer {
  email: string;
  state: AccountStatus;
}

export const accountStateAnswer = answerMessage(json.schema<AccountStateAnswer>());

export interface ListedAccount {
  email: string;
  roles: Role[];
  state: AccountStatus;
  /** Whether it can sign in with a password. */
  has_password: boolean;
  created_at: string;
  /** The email of an administrator; `operator`: on the command line. */
  created_by: string;
  /** null: nobody has signed in with it. */
  last_sign_in_at: string | null;
}

/** Answer of `GET /api/admin/accounts`: by email. */
export interface AccountsAnswer {
  accounts: ListedAccount[];
}

export const accountsAnswer = answerMessage(json.schema<AccountsAnswer>());
