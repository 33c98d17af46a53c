import { timingSafeEqual } from "node:crypto";
import type { CredentialRecord } from "../../src/readModels/credentials.js";
import { hashSecret, parseCredential } from "../../src/shared/credential.js";
import type { Readers } from "../ports.js";

/** Stands in for an unknown credential, so that unknown ids take as long as known ones. */
const nobody = hashSecret("");

interface Authenticate {
  /** The credential as the client sent it. */
  readonly credential: string;
  readonly now: Date;
}

/**
 * The credential that this text proves (spec: Authentication). null without saying why: malformed, unknown, of the
 * wrong kind for its id, a wrong secret, revoked, or expired at `now`. Constant-time in the secret.
 */
export async function authenticate(
  { credentials, productName }: Readers,
  { credential: text, now }: Authenticate,
): Promise<CredentialRecord | null> {
  const credential = parseCredential(text, productName);
  if (credential === null) return null;
  const record = await credentials.find(credential.id);
  const isProven = isSame(hashSecret(credential.secret), record?.secretSha256 ?? nobody);
  return record !== null && isProven && record.kind === credential.kind && isValid(record, now) ? record : null;
}

const hashLength = hashSecret("").length;
/** Shared by all comparisons, each of which is synchronous: one allocation per request would be felt. */
const [first, second] = [Buffer.alloc(hashLength), Buffer.alloc(hashLength)];

/** Takes the same time wherever two hashes differ. */
function isSame(a: string, b: string): boolean {
  return (
    first.write(a, "latin1") === second.write(b, "latin1") && a.length === b.length && timingSafeEqual(first, second)
  );
}

/** An expiry that is no instant has passed. */
const isValid = ({ revokedAt, expiresAt }: CredentialRecord, now: Date): boolean =>
  revokedAt === null && (expiresAt === null || now.getTime() < Date.parse(expiresAt));
