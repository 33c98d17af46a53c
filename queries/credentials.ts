import { timingSafeEqual } from "node:crypto";
import { hashSecret, parseCredential } from "../src/shared/credential.js";
import type { AccountRecord, CredentialRecord, SessionCaller, SessionRecord } from "../src/readModels/credentials.js";
import type { Readers } from "./ports.js";
import { toCredentialId } from "../src/shared/ids.js";
import { ok } from "../src/shared/result.js";
import { waitUntilProjected } from "./consistency.js";
import type { Consistency, QueryResult } from "./queryResult.js";

/** Stands in for an unknown credential, so that unknown ids take as long as known ones. */
const hashOfNobody = hashSecret("");

const { length } = hashOfNobody;
/** Shared by all comparisons, each of which is synchronous: one allocation per request would be felt. */
const [first, second] = [Buffer.alloc(length), Buffer.alloc(length)];

/** Takes the same time wherever two hashes differ. */
const isSameHash = (a: string, b: string): boolean =>
  first.write(a, "latin1") === second.write(b, "latin1") && a.length === b.length && timingSafeEqual(first, second);

interface Authenticate {
  /** The credential as the client sent it. */
  readonly credential: string;
  readonly now: Date;
}

/**
 * The service account or personal key that this text proves (spec: Authentication). null without saying why: malformed,
 * unknown, of the wrong kind for its id, a wrong secret, one that a rotation has ended, revoked, expired at `now`, or
 * the key that somebody has made whose account is disabled. Constant-time in the secret.
 */
export async function authenticate(
  { credentials, productName }: Readers,
  { credential: text, now }: Authenticate,
): Promise<CredentialRecord | null> {
  const credential = parseCredential(text, productName);
  if (credential === null) return null;
  const record = await credentials.find(credential.id);
  const isProven = provesBy(hashSecret(credential.secret), record, now);
  if (record === null || !isProven || record.kind !== credential.kind || !isValid(record, now)) return null;
  return record.createdBy === record.email
    ? withinAccount(record, await credentials.findAccount(record.email))
    : record;
}

/**
 * A key that a person has made for themselves: it counts while the account does, and does no more than the account may.
 */
function withinAccount(record: CredentialRecord, account: AccountRecord | null): CredentialRecord | null {
  if (account === null || account.disabledAt !== null) return null;
  const roles = record.roles.filter((role) => account.roles.includes(role));
  return roles.length === record.roles.length ? record : { ...record, roles };
}

/** By its secret, or by the one before a rotation for as long as that lasts. */
function provesBy(secretSha256: string, record: CredentialRecord | null, now: Date): boolean {
  const previous = record?.previousSecret ?? null;
  const isPresent = isSameHash(secretSha256, record?.secretSha256 ?? hashOfNobody);
  const isPrevious = isSameHash(secretSha256, previous?.sha256 ?? hashOfNobody);
  return isPresent || (isPrevious && previous !== null && isBefore(now, previous.endsAt));
}

const isValid = ({ revokedAt, expiresAt }: CredentialRecord, now: Date): boolean =>
  revokedAt === null && (expiresAt === null || isBefore(now, expiresAt));

/** An instant that is none has passed. */
const isBefore = (now: Date, instant: string): boolean => now.getTime() < Date.parse(instant);

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
 * The account that is signed in by this cookie, with its roles of now. null without a reason: the cookie is malformed
 * or unknown, its secret is wrong, the session has ended here or everywhere, expired or is idle at `now`, or the
 * account is disabled. The time taken does not depend on the secret.
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

/** Everybody who may sign in, oldest account first, including those who are disabled. Passwords are nowhere. */
export async function listAccounts(
  { credentials, ...limits }: Readers,
  { atLeast }: Consistency,
): QueryResult<readonly AccountRecord[]> {
  const consistent = await waitUntilProjected(atLeast, [credentials], limits);
  return consistent.ok ? ok(await credentials.accounts()) : consistent;
}

interface ListCredentials extends Consistency {
  readonly kind: CredentialRecord["kind"];
}

/** Credentials of one kind, oldest first, including revoked and expired ones. Their secrets are nowhere. */
export async function listCredentials(
  { credentials, ...limits }: Readers,
  { kind, atLeast }: ListCredentials,
): QueryResult<readonly CredentialRecord[]> {
  const consistent = await waitUntilProjected(atLeast, [credentials], limits);
  if (!consistent.ok) return consistent;
  const records = await credentials.list();
  return ok(records.filter((record) => record.kind === kind));
}
