import { integer, keyOrUnset, type Setting } from "./kinds.js";

/** The settings of who may sign in, and for how long. */
export interface AccountsConfig {
  /** A session that nobody uses for so long is over. */
  readonly sessionIdleMinutes: number;
  /** A session that is used is over after so long. */
  readonly sessionHours: number;
  /** How many proxies stand before the service; 0: addresses are those of connections. */
  readonly trustedProxies: number;
  /** Address of the identity provider that people may sign in at, as it names itself; null: there is none. */
  readonly oidcIssuer: string | null;
  /** Present where {@link oidcIssuer} is. */
  readonly oidcClientId: string | null;
  /** null: the provider knows the service as a public client. */
  readonly oidcClientSecret: string | null;
  /** The claim that names people's roles; null: administrators give them here. */
  readonly oidcRolesClaim: string | null;
}

/**
 * The issuer; without TLS it has to be on this machine, for somebody who listens on the way could sign in as anybody.
 */
function issuerOf(value: string): string | null | undefined {
  if (value === "") return null;
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url === null || url.search !== "" || url.hash !== "" || url.username !== "") return undefined;
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname)) ? value : undefined;
}

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(host);

const visibleText = (value: string): string | null | undefined =>
  value === "" ? null : /^[!-~]{1,512}$/.test(value) ? value : undefined;

export const accountsSettings: { readonly [Field in keyof AccountsConfig]: Setting<AccountsConfig[Field]> } = {
  sessionIdleMinutes: {
    name: "SESSION_IDLE_MINUTES",
    default: "60",
    meaning: "After how many minutes without a request a person has to sign in again ([accounts](docs/accounts.md)).",
    ...integer(1, 525_600),
  },
  sessionHours: {
    name: "SESSION_HOURS",
    default: "12",
    meaning: "After how many hours in any case.",
    ...integer(1, 8_760),
  },
  trustedProxies: {
    name: "TRUSTED_PROXIES",
    default: "0",
    meaning:
      "How many proxies stand before the service, which may say in `X-Forwarded-For` and `X-Forwarded-Proto` who asks, and how. 0: nobody is believed.",
    ...integer(0, 100),
  },
  oidcIssuer: {
    name: "OIDC_ISSUER",
    default: "",
    meaning:
      "Issuer of the OpenID Connect provider at which people may sign in, such as `https://login.example.com`; needs `PUBLIC_URL` and `OIDC_CLIENT_ID`. Unset: people sign in with a password.",
    allowed: "an https address without a query, or an http one of this machine",
    parse: issuerOf,
  },
  oidcClientId: {
    name: "OIDC_CLIENT_ID",
    default: "",
    meaning: "How the provider knows the service.",
    allowed: "visible characters without spaces",
    parse: visibleText,
  },
  oidcClientSecret: {
    name: "OIDC_CLIENT_SECRET",
    meaning: "How the service proves itself there. Unset: the provider knows it as a public client.",
    ...keyOrUnset,
  },
  oidcRolesClaim: {
    name: "OIDC_ROLES_CLAIM",
    default: "",
    meaning:
      "Claim that names people's roles, such as `roles` or `realm_access.roles`; they follow it at every sign-in. Unset: administrators give roles here.",
    allowed: "the name of a claim, without spaces",
    parse: visibleText,
  },
};

/** Settings of the identity provider of which one needs another. */
export function accountsContradictions({
  publicUrl,
  oidcIssuer,
  oidcClientId,
  oidcClientSecret,
  oidcRolesClaim,
}: AccountsConfig & { readonly publicUrl: string | null }): readonly string[] {
  if (oidcIssuer === null)
    return Object.entries({
      OIDC_CLIENT_ID: oidcClientId,
      OIDC_CLIENT_SECRET: oidcClientSecret,
      OIDC_ROLES_CLAIM: oidcRolesClaim,
    }).flatMap(([name, value]) =>
      value === null ? [] : [`${name} is set, but OIDC_ISSUER is not. Set both, or neither.`],
    );
  return [
    ...(oidcClientId === null ? ["OIDC_ISSUER is set, but OIDC_CLIENT_ID is not. Set both, or neither."] : []),
    ...(publicUrl === null
      ? ["OIDC_ISSUER is set, but PUBLIC_URL is not: the provider has to know where it sends people back to."]
      : []),
  ];
}
