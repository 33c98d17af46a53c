import type { Role } from "../shared/credential.js";
import type { Email } from "../shared/ids.js";

/**
 * What an account was made by: the operator of the process, an administrator, a first start, or a sign-in elsewhere.
 */
export type AccountOrigin = "operator" | "administrator" | "firstStart" | "identityProvider";

/** Somebody who may sign in; known by the login email, as everywhere. */
export interface AccountCreated {
  readonly type: "AccountCreated";
  readonly data: {
    readonly email: Email;
    /** Distinct, sorted. */
    readonly roles: readonly Role[];
    readonly origin: AccountOrigin;
  };
}

interface AccountRoleGiven {
  readonly type: "AccountRoleGiven";
  readonly data: { readonly email: Email; readonly role: Role };
}

/** Ends the sessions that the account had. */
interface AccountRoleTaken {
  readonly type: "AccountRoleTaken";
  readonly data: { readonly email: Email; readonly role: Role };
}

/** Ends the sessions that the account had, and uses up its link. */
interface AccountPasswordSet {
  readonly type: "AccountPasswordSet";
  readonly data: {
    readonly email: Email;
    /** Salted and slow (argon2id, in the form of PHC); never shown. */
    readonly passwordHash: string;
  };
}

/** A link with which the password can be set, once; a later one replaces it. */
export interface AccountLinkIssued {
  readonly type: "AccountLinkIssued";
  readonly data: { readonly email: Email; readonly secretSha256: string; readonly expiresAt: string };
}

/** The person has signed out everywhere, or was made to. */
interface AccountSessionsEnded {
  readonly type: "AccountSessionsEnded";
  readonly data: { readonly email: Email };
}

/** Nobody signs in any more, and nothing that was signed in counts. */
interface AccountDisabled {
  readonly type: "AccountDisabled";
  readonly data: { readonly email: Email };
}

interface AccountEnabled {
  readonly type: "AccountEnabled";
  readonly data: { readonly email: Email };
}

/** Stream `account-{email}`. */
export type AccountEvent =
  | AccountCreated
  | AccountRoleGiven
  | AccountRoleTaken
  | AccountPasswordSet
  | AccountLinkIssued
  | AccountSessionsEnded
  | AccountDisabled
  | AccountEnabled;

export const accountEventTypes: Readonly<Record<AccountEvent["type"], true>> = {
  AccountCreated: true,
  AccountRoleGiven: true,
  AccountRoleTaken: true,
  AccountPasswordSet: true,
  AccountLinkIssued: true,
  AccountSessionsEnded: true,
  AccountDisabled: true,
  AccountEnabled: true,
};
