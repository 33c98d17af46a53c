import type { AccountOrigin } from "../events/account.js";
import type { SignInMethod } from "../events/session.js";
import type { CredentialKind, Role, DatasourceLimits } from "../shared/credential.js";
import type { CredentialId, Email } from "../shared/ids.js";
import type { Language } from "../shared/texts.js";
import type { Revision } from "../shared/position.js";

/** The caller: what a proven credential says of its holder. */
export interface Caller {
  /** The credential's id; for a session its person's email, which every event names as the actor. */
  readonly id: CredentialId;
  readonly kind: CredentialKind;
  /** A service account's label. */
  readonly name: string | null;
  /** A service account's limits; null: all datasources. */
  readonly datasources: DatasourceLimits;
  /** The person of a personal key or a session. */
  readonly email: Email | null;
  /** What a person may do besides searching; none for a service account. Distinct, sorted. */
  readonly roles: readonly Role[];
  /** A personal key's, for searches that name none; left out where none was given. */
  readonly language?: Language;
}

/** What is known of a service account or a personal key; secrets only as their hashes. */
export interface CredentialRecord extends Caller {
  readonly kind: "serviceAccount" | "apiKey";
  readonly secretSha256: string;
  /** The one before a rotation. From `endsAt` on it proves nothing. */
  readonly previousSecret: { readonly sha256: string; readonly endsAt: string } | null;
  readonly expiresAt: string | null;
  readonly createdAt: string;
  /** The credential that asked for it, or `operator`. */
  readonly createdBy: string;
  /** Noted late and seldom; null: no use was noted. */
  readonly lastUsedAt: string | null;
  readonly revokedAt: string | null;
}

/** What is known of a session; its secret only as its hash. */
export interface SessionRecord {
  readonly id: CredentialId;
  readonly email: Email;
  readonly secretSha256: string;
  readonly method: SignInMethod;
  readonly startedAt: string;
  readonly expiresAt: string;
  /** Noted late and seldom; null: no use was noted. */
  readonly lastUsedAt: string | null;
  readonly endedAt: string | null;
  /** The account's newest event at the sign-in. */
  readonly accountRevision: Revision;
}

/** What is known of somebody who may sign in, without the password. */
export interface AccountRecord {
  readonly email: Email;
  /** Distinct, sorted. */
  readonly roles: readonly Role[];
  readonly origin: AccountOrigin;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly disabledAt: string | null;
  readonly hasPassword: boolean;
  readonly lastSignInAt: string | null;
  /**
   * The newest of its events that ended sessions; null: none did. A session counts if it was started on this event or a
   * later one. Places in a stream and no times: clocks of two processes differ.
   */
  readonly sessionsEndedRevision: Revision | null;
}

/** A caller who is signed in: the account's person, with the roles that the account has now. */
export interface SessionCaller extends Caller {
  readonly kind: "session";
  readonly email: Email;
  readonly sessionId: CredentialId;
  readonly startedAt: string;
  readonly expiresAt: string;
  readonly lastUsedAt: string | null;
}
