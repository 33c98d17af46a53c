import type { Role } from "../shared/credential.js";
import type { CredentialId, DatasourceName, Email } from "../shared/ids.js";

/** Only the hash of the secret is recorded; the secret itself is shown once and never stored (spec: Authentication). */
export interface ServiceAccountCreated {
  readonly type: "ServiceAccountCreated";
  readonly data: {
    readonly id: CredentialId;
    readonly name: string;
    /** null: all datasources. */
    readonly datasources: readonly DatasourceName[] | null;
    readonly secretSha256: string;
    /** ISO instant; null: never. */
    readonly expiresAt: string | null;
  };
}

export interface ServiceAccountRevoked {
  readonly type: "ServiceAccountRevoked";
  readonly data: { readonly id: CredentialId };
}

export interface ApiKeyCreated {
  readonly type: "ApiKeyCreated";
  readonly data: {
    readonly id: CredentialId;
    /** The searching person. */
    readonly email: Email;
    readonly secretSha256: string;
    readonly expiresAt: string | null;
    /** Distinct, sorted. */
    readonly roles: readonly Role[];
  };
}

export interface ApiKeyRevoked {
  readonly type: "ApiKeyRevoked";
  readonly data: { readonly id: CredentialId };
}

/** Stream `serviceAccount-{id}`. */
export type ServiceAccountEvent = ServiceAccountCreated | ServiceAccountRevoked;
/** Stream `apiKey-{id}`. */
export type ApiKeyEvent = ApiKeyCreated | ApiKeyRevoked;

export const serviceAccountEventTypes: Readonly<Record<ServiceAccountEvent["type"], true>> = {
  ServiceAccountCreated: true,
  ServiceAccountRevoked: true,
};

export const apiKeyEventTypes: Readonly<Record<ApiKeyEvent["type"], true>> = {
  ApiKeyCreated: true,
  ApiKeyRevoked: true,
};
