import type { AccountRecord, SessionCaller, SessionRecord } from "../../src/readModels/credentials.js";
import { hashSecret, parseCredential } from "../../src/shared/credential.js";
import { toCredentialId } from "../../src/shared/ids.js";
import type { Readers } from "../ports.js";
import { hashOfNobody, isSameHash } from "./isSameHash.js";

interface AuthenticateSession {
  /** What the cookie holds. */
  readonly cookie: string;
  readonly now: Date;
  /** For how long a session may go unused. */
  readonly idleMs: number;
  /** Milliseconds since the epoch of a use that may not be noted yet. */
  readonly lastSeen?: number;
}

/**
 * Who is signed in by this cookie, with what the account may do now. null without saying why: malformed, unknown, a
 * wrong secret, ended here or everywhere, expired or idle at `now`, or the account is disabled. Constant-time in the
 * secret.
 */
export async function authenticateSession(
  { credentials, productName }: Readers,
  { cookie, now, idleMs, lastSeen = 0 }: AuthenticateSession,
): Promise<SessionCaller | null> {
  const credential = parseCredential(cookie, productName);
  if (credential?.kind !== "session") return null;
  const session = await credentials.findSession(credential.id);
  const isProven = isSameHash(hashSecret(credential.secret), session?.secretSha256 ?? hashOfNobody);
  if (session === null || !isProven || !isOpen(session, { now, idleMs, lastSeen })) return null;
  // Read after the session: what has ended meanwhile counts.
  const account = await credentials.findAccount(session.email);
  return account !== null && counts(session, account) ? callerOf(session, account) : null;
}

/** An instant that is none has passed. */
function isOpen(
  { endedAt, expiresAt, startedAt, lastUsedAt }: SessionRecord,
  { now, idleMs, lastSeen }: Required<Pick<AuthenticateSession, "now" | "idleMs" | "lastSeen">>,
): boolean {
  const newestUse = Math.max(Date.parse(lastUsedAt ?? startedAt), lastSeen);
  return endedAt === null && now.getTime() < Date.parse(expiresAt) && now.getTime() - newestUse < idleMs;
}

/** Whether the account lets the session count: it is enabled, and has ended no sessions since. */
const counts = ({ accountRevision }: SessionRecord, { disabledAt, sessionsEndedRevision }: AccountRecord): boolean =>
  disabledAt === null && accountRevision >= (sessionsEndedRevision ?? 0);

const callerOf = (
  { id: sessionId, email, startedAt, expiresAt, lastUsedAt }: SessionRecord,
  { roles }: AccountRecord,
): SessionCaller => ({
  ...{ kind: "session", id: toCredentialId(email), email, roles, name: null, datasources: null },
  ...{ sessionId, startedAt, expiresAt, lastUsedAt },
});
