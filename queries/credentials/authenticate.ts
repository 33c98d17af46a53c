import { timingSafeEqual } from "node:crypto";
import type { CredentialRecord } from "../../src/readModels/credentials.js";
import { hashSecret, parseCredential } from "../../src/shared/credential.js";
import type { CredentialReader } from "../ports.js";
import type { Queries } from "../queries.js";

/** Compared with where there is no such credential, so that unknown ids cost what known ones cost. */
const nobody = hashSecret("");

/**
 * The credential that this text proves (spec: Authentication). null without saying why: malformed, unknown, of the
 * wrong kind for its id, a wrong secret, revoked, or expired at `now`.
 */
export function createAuthenticate(credentials: CredentialReader, productName: string): Queries["authenticate"] {
  return async (text, now) => {
    const credential = parseCredential(text, productName);
    if (credential === null) return null;
    const record = await credentials.find(credential.id);
    const isProven = isSame(hashSecret(credential.secret), record?.secretSha256 ?? nobody);
    return record !== null && isProven && record.kind === credential.kind && isValid(record, now) ? record : null;
  };
}

/** A hash is as long as this in hex. */
const hashLength = hashSecret("").length;
/** Written anew at each comparison, which waits for nothing: what is allocated per request is felt. */
const [first, second] = [Buffer.alloc(hashLength), Buffer.alloc(hashLength)];

/** In a time that does not tell where two hashes differ. */
function isSame(a: string, b: string): boolean {
  return (
    first.write(a, "latin1") === second.write(b, "latin1") && a.length === b.length && timingSafeEqual(first, second)
  );
}

/** An expiry that is no instant has passed. */
const isValid = ({ revokedAt, expiresAt }: CredentialRecord, now: Date): boolean =>
  revokedAt === null && (expiresAt === null || now.getTime() < Date.parse(expiresAt));
