import type { AccountRecord, CredentialRecord, SessionRecord } from "../../src/readModels/credentials.js";
import type { Role, DatasourceLimit } from "../../src/shared/credential.js";
import type { CredentialId, Email } from "../../src/shared/ids.js";

/** What one event changes in the credentials. */
export type CredentialChange =
  | { readonly kind: "created"; readonly record: CredentialRecord }
  | { readonly kind: "bound"; readonly id: CredentialId; readonly datasources: readonly DatasourceLimit[] }
  /** The secret until then becomes the previous one. A repetition changes nothing. */
  | {
      readonly kind: "rotated";
      readonly id: CredentialId;
      readonly secretSha256: string;
      readonly previousEndsAt: string;
    }
  | { readonly kind: "used"; readonly id: CredentialId; readonly usedAt: string }
  /** The first one counts; `at` is an ISO instant. */
  | { readonly kind: "revoked"; readonly id: CredentialId; readonly at: string }
  /** Replaces the stored record, whatever it says. */
  | { readonly kind: "restored"; readonly record: CredentialRecord }
  /** There is no such credential, as far as the log says. */
  | { readonly kind: "forgotten"; readonly id: CredentialId }
  | AccountChange
  | SessionChange;

/** What one event changes in the accounts. A change to an account that is not there has no effect. */
export type AccountChange =
  | { readonly kind: "accountCreated"; readonly account: CreatedAccount }
  | { readonly kind: "accountChanged"; readonly email: Email; readonly facts: AccountFacts }
  | { readonly kind: "roleChanged"; readonly email: Email; readonly role: Role; readonly isHeld: boolean }
  /** There is no such account, as far as the log says. The time of the last sign-in stays. */
  | { readonly kind: "accountForgotten"; readonly email: Email }
  /** The latest counts. */
  | { readonly kind: "signedIn"; readonly email: Email; readonly at: string };

/** What an account begins with. */
export type CreatedAccount = Pick<AccountRecord, "email" | "roles" | "origin" | "createdAt" | "createdBy">;

/** The facts of an account that a change replaces; one that is left out stays. */
export type AccountFacts = Partial<Pick<AccountRecord, "disabledAt" | "hasPassword" | "sessionsEndedRevision">>;

/** What one event changes in the sessions. */
export type SessionChange =
  | { readonly kind: "sessionStarted"; readonly session: SessionRecord }
  | { readonly kind: "sessionUsed"; readonly id: CredentialId; readonly usedAt: string }
  /** The first one counts. */
  | { readonly kind: "sessionEnded"; readonly id: CredentialId; readonly at: string }
  /** There is no such session, as far as the log says. */
  | { readonly kind: "sessionForgotten"; readonly id: CredentialId }
  /** Sessions that have ended, or have expired by then, need not be kept any more. */
  | { readonly kind: "sessionsOver"; readonly at: string };
