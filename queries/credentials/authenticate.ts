import type { AccountRecord, CredentialRecord } from "../../src/readModels/credentials.js";
import { hashSecret, parseCredential } from "../../src/shared/credential.js";
import type { Readers } from "../ports.js";
import { hashOfNobody, isSameHash } from "./isSameHash.js";

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

/** A key that a person has made for themselves: it counts while the account does, and does no more than the account may. */
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
