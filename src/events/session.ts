import type { CredentialId, Email } from "../shared/ids.js";
import type { Revision } from "../shared/position.js";

/** By what somebody has signed in. */
export type SignInMethod = "password" | "link" | "identityProvider";

/** Only the hash of the secret is recorded; the secret itself is in the cookie alone. */
export interface SessionStarted {
  readonly type: "SessionStarted";
  readonly data: {
    readonly id: CredentialId;
    readonly email: Email;
    readonly secretSha256: string;
    readonly method: SignInMethod;
    readonly expiresAt: string;
    /**
     * The newest event of the account that the sign-in was decided on. Whatever ends the account's sessions behind it
     * ends this one as well, also where the two happened at the same moment.
     */
    readonly accountRevision: Revision;
  };
}

/** Recorded late and seldom: the first use in a while. */
interface SessionUsed {
  readonly type: "SessionUsed";
  readonly data: { readonly id: CredentialId; readonly usedAt: string };
}

interface SessionEnded {
  readonly type: "SessionEnded";
  readonly data: { readonly id: CredentialId };
}

/** Stream `session-{id}`. */
export type SessionEvent = SessionStarted | SessionUsed | SessionEnded;

export const sessionEventTypes: Readonly<Record<SessionEvent["type"], true>> = {
  SessionStarted: true,
  SessionUsed: true,
  SessionEnded: true,
};
