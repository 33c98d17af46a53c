import { hash } from "node:crypto";

/**
 * What people compare keys by: the first 32 hex digits of the SHA-256 of the key's SubjectPublicKeyInfo (DER), in
 * groups of four.
 */
export const keyFingerprint = (publicKey: Buffer): string =>
  hash("sha256", publicKey)
    .slice(0, 32)
    .replace(/(.{4})(?=.)/g, "$1-");
