import type { Role } from "../shared/credential.js";
import type { DatasourceLimits } from "../shared/datasourceLimit.js";
import type { CredentialId, Email } from "../shared/ids.js";

/** What is known of a credential; the secret only as its hash. */
export interface CredentialRecord {
  readonly id: CredentialId;
  readonly kind: "serviceAccount" | "apiKey";
  readonly secretSha256: string;
  readonly expiresAt: string | null;
  readonly createdAt: string;
  readonly revokedAt: string | null;
  /** A service account's label. */
  readonly name: string | null;
  /** A service account's limits; null: all datasources. */
  readonly datasources: DatasourceLimits;
  /** A personal key's person. */
  readonly email: Email | null;
  /** What a personal key may do besides searching; none for a service account. Distinct, sorted. */
  readonly roles: readonly Role[];
}
