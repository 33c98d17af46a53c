import type { Role } from "../shared/credential.js";
import type { DatasourceLimit, DatasourceLimits } from "../shared/datasourceLimit.js";
import type { CredentialId, Email } from "../shared/ids.js";

/** Only the hash of the secret is recorded; the secret itself is shown once and never stored (spec: Authentication). */
export interface ServiceAccountCreated {
  readonly type: "ServiceAccountCreated";
  readonly data: {
    readonly id: CredentialId;
    readonly name: string;
    /** null: all datasources. */
    readonly datasources: DatasourceLimits;
    readonly secretSha256: string;
    /** ISO instant; null: never. */
    readonly expiresAt: string | null;
  };
}

/** Limits that named a datasource before it was there open this incarnation of it from now on. */
export interface ServiceAccountBound {
  readonly type: "ServiceAccountBound";
  /** All limits of the account. */
  readonly data: { readonly id: CredentialId; readonly datasources: readonly DatasourceLimit[] };
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
export type ServiceAccountEvent = ServiceAccountCreated | ServiceAccountBound | ServiceAccountRevoked;
/** Stream `apiKey-{id}`. */
export type ApiKeyEvent = ApiKeyCreated | ApiKeyRevoked;

export const serviceAccountEventTypes: Readonly<Record<ServiceAccountEvent["type"], true>> = {
  ServiceAccountCreated: true,
  ServiceAccountBound: true,
  ServiceAccountRevoked: true,
};

export const apiKeyEventTypes: Readonly<Record<ApiKeyEvent["type"], true>> = {
  ApiKeyCreated: true,
  ApiKeyRevoked: true,
};
