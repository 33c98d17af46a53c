import type { Rejection } from "../../commands/rejection.js";
import { invalidRequest, quoted, refusal } from "./refusal.js";
import type { Refusal } from "./refusedRequest.js";
import { valueError } from "./validation/issue.js";

type Refused =
  | "CredentialRevoked"
  | "AccountEmailInvalid"
  | "AccountExists"
  | "AccountNotFound"
  | "AccountIsDisabled"
  | "OwnAdministratorRole"
  | "OwnAccountDisabled"
  | "AccountLinkInvalid"
  | "PasswordWrong"
  | "PasswordRefused"
  | "SignInRefused";

/** What a request gets that is refused because of an account, a password or a credential. */
export const accountRefusals: {
  readonly [Type in Refused]: (rejection: Extract<Rejection, { readonly type: Type }>) => Refusal;
} = {
  CredentialRevoked: ({ id }) => refusal(409, `The credential ${quoted(id)} is revoked, for good. Create another one.`),
  AccountEmailInvalid: () =>
    invalidRequest([
      valueError(["body", "email"], "an account is known by an email address of 254 characters at most"),
    ]),
  AccountExists: ({ email }) => refusal(409, `There is an account for ${quoted(email)} already.`),
  AccountNotFound: ({ email }) => refusal(404, `There is no account for ${quoted(email)}.`),
  AccountIsDisabled: ({ email }) =>
    refusal(403, `The account ${quoted(email)} is disabled. An administrator can enable it.`),
  OwnAdministratorRole: () =>
    refusal(409, "Nobody takes their own administrator role, so that one administrator is left. Ask another one."),
  OwnAccountDisabled: () =>
    refusal(409, "Nobody disables their own account, so that one administrator is left. Ask another one."),
  AccountLinkInvalid: () =>
    refusal(403, "The link does not hold any more: it was used, replaced, or is too old. Ask for another one."),
  PasswordWrong: () => refusal(403, "The present password is another one. Nothing was changed."),
  PasswordRefused: ({ reason }) => invalidRequest([valueError(["body", "password"], reason)]),
  SignInRefused: () =>
    refusal(401, "The e-mail or the password is wrong, or the account cannot be used.", {
      "WWW-Authenticate": "Bearer",
    }),
};
