import * as client from "openid-client";
import type { Logger } from "pino";
import type { IdentityProvider, ProvenPerson, SignInAttempt } from "../../http/ports.js";
import { IdentityProviderFailure } from "../../shared/failures.js";
import { toEmail, isSingleAddress } from "../../shared/ids.js";
import { roles, type Role } from "../../shared/credential.js";

/** What is to be known of a provider and of this service there. */
interface OpenIdSettings {
  readonly oidcIssuer: string;
  readonly oidcClientId: string;
  /** null: the provider knows the service as a public client. */
  readonly oidcClientSecret: string | null;
  /** null: the provider does not decide about roles. */
  readonly oidcRolesClaim: string | null;
  /** Where the provider sends people back to. */
  readonly redirectUri: string;
}

/** Clocks of two machines differ. */
const clockToleranceSeconds = 30;
const patienceSeconds = 10;
/** `profile` brings the groups of some providers. */
const scope = "openid email profile";

/**
 * A provider of OpenID Connect, by the authorization code flow with PKCE. What it is called and where is looked up when
 * somebody signs in for the first time, and again as long as that fails. Nothing of its answers is logged.
 */
export class OpenIdProvider implements IdentityProvider {
  private discovered: Promise<client.Configuration> | null = null;

  constructor(
    private readonly settings: OpenIdSettings,
    private readonly logger: Logger,
  ) {}

  async begin(): Promise<{ readonly url: string; readonly attempt: SignInAttempt }> {
    const configuration = await this.configuration();
    const attempt: SignInAttempt = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      codeVerifier: client.randomPKCECodeVerifier(),
    };
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: this.settings.redirectUri,
      scope,
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(attempt.codeVerifier),
      code_challenge_method: "S256",
    });
    return { url: url.href, attempt };
  }

  async finish(answer: string, { state, nonce, codeVerifier }: SignInAttempt): Promise<ProvenPerson> {
    if (new URLSearchParams(answer).get("state") !== state)
      throw new IdentityProviderFailure("attempt_expired", sentences.attempt_expired);
    const configuration = await this.configuration();
    const { oidcRolesClaim } = this.settings;
    const claims = await this.proving(async () => {
      const tokens = await client.authorizationCodeGrant(
        configuration,
        new URL(`?${answer}`, this.settings.redirectUri),
        { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier },
      );
      const told = (tokens.claims() ?? {}) as Claims;
      if (areComplete(told, oidcRolesClaim) || configuration.serverMetadata().userinfo_endpoint === undefined)
        return told;
      const { access_token: token } = tokens;
      return withUserInfo(told, await client.fetchUserInfo(configuration, token, String(told["sub"])));
    });
    return provenPerson(claims, oidcRolesClaim);
  }

  /** The same for everybody, once it is known. */
  private configuration(): Promise<client.Configuration> {
    this.discovered ??= this.discover().catch((error: unknown) => {
      this.discovered = null;
      throw this.failure(error, "provider_unavailable", "What the identity provider says of itself cannot be read.");
    });
    return this.discovered;
  }

  private async discover(): Promise<client.Configuration> {
    const { oidcIssuer, oidcClientId, oidcClientSecret } = this.settings;
    const issuer = new URL(oidcIssuer);
    const configuration = await client.discovery(
      issuer,
      oidcClientId,
      { [client.clockTolerance]: clockToleranceSeconds },
      oidcClientSecret === null ? client.None() : clientAuthentication(oidcClientSecret),
      {
        timeout: patienceSeconds,
        // The settings take such an issuer on this machine alone.
        execute: issuer.protocol === "http:" ? [client.allowInsecureRequests] : [],
      },
    );
    client.enableNonRepudiationChecks(configuration);
    return configuration;
  }

  private async proving<Value>(prove: () => Promise<Value>): Promise<Value> {
    try {
      return await prove();
    } catch (error) {
      throw this.failure(error, problemOf(error), "The identity provider has not proved who signs in.");
    }
  }

  /** Logs nothing of an error but its own words: its other fields may hold the code or tokens. */
  private failure(
    error: unknown,
    problem: IdentityProviderFailure["problem"],
    sentence: string,
  ): IdentityProviderFailure {
    const { name, message, code } = error as { name?: string; message?: string; code?: string };
    const why = {
      issuer: this.settings.oidcIssuer,
      problem,
      error: { name, message, code: oauthError(error) ?? code },
    };
    this.logger[problem === "provider_unavailable" ? "error" : "warn"](why, sentence);
    return new IdentityProviderFailure(problem, sentences[problem]);
  }
}

const sentences: Readonly<Record<IdentityProviderFailure["problem"], string>> = {
  provider_unavailable:
    "The identity provider does not answer, or does not take this service for one of its own. Try again; an operator finds more in the log.",
  provider_refused: "The identity provider has not signed you in. Try again.",
  attempt_expired: "This sign-in has expired or was used already. Begin again.",
  email_not_verified: "The identity provider does not vouch for your email.",
};

/** The word of OAuth for what is wrong. */
function oauthError(error: unknown): string | null {
  if (error instanceof client.AuthorizationResponseError || error instanceof client.ResponseBodyError)
    return error.error;
  return error instanceof client.WWWAuthenticateChallengeError ? "invalid_client" : null;
}

function problemOf(error: unknown): IdentityProviderFailure["problem"] {
  const word = oauthError(error);
  if (error instanceof client.AuthorizationResponseError)
    return word === "server_error" || word === "temporarily_unavailable" ? "provider_unavailable" : "provider_refused";
  if (word === "invalid_grant") return "attempt_expired";
  if (word !== null) return "provider_unavailable";
  // The rest is what an answer got wrong, or that there was none.
  const { code } = error as { readonly code?: string };
  return code === "OAUTH_INVALID_RESPONSE" || code === "OAUTH_JWT_CLAIM_COMPARISON_FAILED"
    ? "provider_refused"
    : "provider_unavailable";
}

/** In the header, as registrations have it where they say nothing; in the body where the provider knows only that. */
function clientAuthentication(secret: string): client.ClientAuth {
  const [inHeader, inBody] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)];
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const authenticate = methods.includes("client_secret_basic") ? inHeader : inBody;
    return authenticate(server, ...rest);
  };
}

/** What a provider says of a person, by name. */
type Claims = Readonly<Record<string, unknown>>;

const longestEmail = 254;

/**
 * The person of these claims. The email counts where the provider has verified it and nowhere else: anybody may write
 * somebody else's into their profile.
 */
export function provenPerson(claims: Claims, rolesClaim: string | null): ProvenPerson {
  const { email: given } = claims;
  const isVouchedFor = typeof given === "string" && claims["email_verified"] === true && isAsWritten(given);
  const email = toEmail(isVouchedFor ? given : "");
  if (!isSingleAddress(email) || email.length > longestEmail)
    throw new IdentityProviderFailure(
      "email_not_verified",
      "The identity provider does not vouch for an email of this person: `email` is missing, or `email_verified` is not true.",
    );
  return { email, roles: rolesClaim === null ? null : rolesIn(claims, rolesClaim) };
}

/** What only looks like an email may be another mailbox, and that is the one that the provider has verified. */
const isAsWritten = (email: string): boolean => toEmail(email) === email.normalize("NFC").trim().toLowerCase();

/** What the token says, and userinfo besides. No answer vouches for an email that only the other one tells. */
export function withUserInfo(told: Claims, userInfo: Claims): Claims {
  const { email_verified: verified, ...rest } = told;
  const isSame = userInfo["email"] === undefined || userInfo["email"] === told["email"];
  return { ...rest, ...(isSame && { email_verified: verified }), ...userInfo };
}

/** Whether both the email and the roles are told, so that nothing has to be asked for. */
export const areComplete = (claims: Claims, rolesClaim: string | null): boolean =>
  claims["email"] !== undefined && (rolesClaim === null || claimAt(claims, rolesClaim) !== undefined);

/** Our roles that the claim names, as a list or as words with spaces between. Other names belong to other programs. */
function rolesIn(claims: Claims, rolesClaim: string): readonly Role[] {
  const claim = claimAt(claims, rolesClaim);
  const named: readonly unknown[] =
    typeof claim === "string" ? claim.split(/[ ,]+/) : Array.isArray(claim) ? claim : [];
  const words = new Set(named.flatMap((name) => (typeof name === "string" ? [name.toLowerCase()] : [])));
  return roles.filter((role) => words.has(role));
}

/** A claim by its name, which may hold dots; or, where there is none of it, one inside others. */
function claimAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name
    .split(".")
    .reduce<unknown>(
      (within, part) =>
        typeof within === "object" && within !== null && Object.hasOwn(within, part)
          ? (within as Claims)[part]
          : undefined,
      claims,
    );
}
