import type { KeyRole, DatasourceLimit, DatasourceLimits } from "../shared/credential.js";
import type { CredentialId, Email } from "../shared/ids.js";
import type { Language } from "../shared/texts.js";

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
interface ServiceAccountBound {
  readonly type: "ServiceAccountBound";
  /** All limits of the account. */
  readonly data: { readonly id: CredentialId; readonly datasources: readonly DatasourceLimit[] };
}

export interface ServiceAccountRevoked {
  readonly type: "ServiceAccountRevoked";
  readonly data: { readonly id: CredentialId };
}

/** A second secret beside the first, which ends after an overlap. */
export interface ServiceAccountRotated {
  readonly type: "ServiceAccountRotated";
  readonly data: {
    readonly id: CredentialId;
    /** The hash of the new secret. */
    readonly secretSha256: string;
    /** ISO instant from which on the secret before it proves nothing. One that is older still has ended already. */
    readonly previousEndsAt: string;
  };
}

/** Recorded late and seldom: the first use in a while. */
export interface ServiceAccountUsed {
  readonly type: "ServiceAccountUsed";
  readonly data: { readonly id: CredentialId; readonly usedAt: string };
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
    readonly roles: readonly KeyRole[];
    /** The person's, for searches that name none; left out where none was given. */
    readonly language?: Language;
  };
}

export interface ApiKeyRevoked {
  readonly type: "ApiKeyRevoked";
  readonly data: { readonly id: CredentialId };
}

/** Recorded late and seldom: the first use in a while. */
export interface ApiKeyUsed {
  readonly type: "ApiKeyUsed";
  readonly data: { readonly id: CredentialId; readonly usedAt: string };
}

/** Stream `serviceAccount-{id}`. */
export type ServiceAccountEvent =
  ServiceAccountCreated | ServiceAccountBound | ServiceAccountRotated | ServiceAccountUsed | ServiceAccountRevoked;

/** Stream `apiKey-{id}`. */
export type ApiKeyEvent = ApiKeyCreated | ApiKeyUsed | ApiKeyRevoked;

export const serviceAccountEventTypes: Readonly<Record<ServiceAccountEvent["type"], true>> = {
  ServiceAccountCreated: true,
  ServiceAccountBound: true,
  ServiceAccountRotated: true,
  ServiceAccountUsed: true,
  ServiceAccountRevoked: true,
};

export const apiKeyEventTypes: Readonly<Record<ApiKeyEvent["type"], true>> = {
  ApiKeyCreated: true,
  ApiKeyUsed: true,
  ApiKeyRevoked: true,
};
