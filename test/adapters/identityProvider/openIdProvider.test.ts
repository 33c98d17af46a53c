import { expect } from "chai";
import { Writable } from "node:stream";
import { pino } from "pino";
import type { Configuration } from "oidc-provider";
import { OpenIdProvider } from "../../../src/adapters/identityProvider/openIdProvider.js";
import type { IdentityProviderFailure } from "../../../src/shared/failures.js";
import { Browser } from "../../support/browser.js";
import { freePort } from "../../support/freePort.js";
import {
  clientId,
  clientSecret,
  startIdentityProvider,
  type ClaimsOfPerson,
  type ProviderUnderTest,
} from "../../support/identityProvider.js";

const redirectUri = "http://127.0.0.1:9/api/session/identity-provider/callback";

describe("an identity provider", () => {
  let provider: ProviderUnderTest | undefined;
  let logged: string;
  afterEach(() => provider?.stop());

  const log = pino(
    new Writable({
      write(line, _encoding, done) {
        logged += String(line);
        done();
      },
    }),
  );

  async function service(
    settings: Partial<ConstructorParameters<typeof OpenIdProvider>[0]> = {},
    configuration: Configuration = {},
  ): Promise<OpenIdProvider> {
    logged = "";
    provider = await startIdentityProvider(redirectUri, configuration);
    return serviceAt(provider.issuer, settings);
  }
  const serviceAt = (
    oidcIssuer: string,
    settings: Partial<ConstructorParameters<typeof OpenIdProvider>[0]> = {},
  ): OpenIdProvider =>
    new OpenIdProvider(
      {
        oidcIssuer,
        oidcClientId: clientId,
        oidcClientSecret: clientSecret,
        oidcRolesClaim: null,
        redirectUri,
        ...settings,
      },
      log,
    );

  /** The whole way: there, as a person of whom the provider says this, and back. */
  async function signIn(ours: OpenIdProvider, claims: ClaimsOfPerson) {
    provider?.people.set("ada", claims);
    const { url, attempt } = await ours.begin();
    const back = await provider?.signIn(new Browser(), url, "ada");
    return ours.finish(new URL(back?.url ?? "").search.slice(1), attempt);
  }

  const problemOf = (signingIn: Promise<unknown>): Promise<unknown> =>
    signingIn.then(
      () => "none",
      (error: IdentityProviderFailure) => {
        expect(error.message).to.match(/^[A-Z].*\.$/s);
        return error.problem;
      },
    );

  const verified = { email: " Ada@Example.COM ", email_verified: true };

  it("proves a person by an email that it has verified, told by its userinfo", async () => {
    expect(await signIn(await service(), verified)).to.deep.equal({ email: "ada@example.com", roles: null });
    expect(provider?.asked.some((url) => url.startsWith("/me"))).to.equal(true);
  });

  it("is not asked for more where its token says everything", async () => {
    const ours = await service({ oidcRolesClaim: "roles" }, { conformIdTokenClaims: false });
    expect(await signIn(ours, { ...verified, roles: ["auditor", "king"] })).to.deep.equal({
      email: "ada@example.com",
      roles: ["auditor"],
    });
    expect(provider?.asked.some((url) => url.startsWith("/me"))).to.equal(false);
  });

  it("is sent PKCE, state and nonce, all of them new each time", async () => {
    const ours = await service();
    const [one, other] = [await ours.begin(), await ours.begin()];
    const asked = new URL(one.url).searchParams;
    expect(asked.get("code_challenge_method")).to.equal("S256");
    expect(asked.get("state")).to.equal(one.attempt.state);
    expect(asked.get("nonce")).to.equal(one.attempt.nonce);
    expect(one.url).not.to.include(one.attempt.codeVerifier);
    expect(new Set([...Object.values(one.attempt), ...Object.values(other.attempt)]).size).to.equal(6);
  });

  it("proves nobody by an email that it has not verified", async () => {
    const ours = await service();
    const unproven: readonly ClaimsOfPerson[] = [
      { email: "ada@example.com" },
      { email: "ada@example.com", email_verified: false },
      { email: "ada@example.com", email_verified: "true" },
      { email: "nobody", email_verified: true },
      { email_verified: true },
    ];
    for (const claims of unproven)
      expect(await problemOf(signIn(ours, claims)), JSON.stringify(claims)).to.equal("email_not_verified");
  });

  it("names roles in lists, in words and inside other claims; those of others do not count", async () => {
    for (const [claim, claims, roles] of [
      ["roles", { roles: ["Operator", "auditor", "x"] }, ["auditor", "operator"]],
      ["roles", { roles: "operator auditor" }, ["auditor", "operator"]],
      ["realm_access.roles", { realm_access: { roles: ["auditor"] } }, ["auditor"]],
      ["roles", { roles: { auditor: true } }, []],
      ["roles", {}, []],
    ] as const) {
      const proven = await signIn(await service({ oidcRolesClaim: claim }), { ...verified, ...claims });
      expect([...(proven.roles ?? [])].sort(), JSON.stringify(claims)).to.deep.equal(roles);
      await provider?.stop();
    }
    provider = undefined;
  });

  it("proves nobody twice, nor by an answer to somebody else", async () => {
    const ours = await service();
    provider?.people.set("ada", verified);
    const { url, attempt } = await ours.begin();
    const back = await provider?.signIn(new Browser(), url, "ada");
    const answer = new URL(back?.url ?? "").search.slice(1);
    const { attempt: other } = await ours.begin();
    expect(await problemOf(ours.finish(answer, other))).to.equal("attempt_expired");
    expect(await problemOf(ours.finish(answer, { ...attempt, nonce: other.nonce }))).to.equal("provider_refused");
    expect(await problemOf(ours.finish(answer, attempt))).to.equal("attempt_expired");
    const code = new URLSearchParams(answer).get("code") ?? "";
    expect(code).not.to.equal("");
    for (const secret of [code, attempt.state, attempt.codeVerifier, clientSecret, "ada@example.com"])
      expect(logged).not.to.include(secret);
    expect(logged).to.include("The identity provider has not proved who signs in.");
  });

  it("refuses another verifier than the one of PKCE", async () => {
    const ours = await service();
    provider?.people.set("ada", verified);
    const { url, attempt } = await ours.begin();
    const back = await provider?.signIn(new Browser(), url, "ada");
    const answer = new URL(back?.url ?? "").search.slice(1);
    const { attempt: other } = await ours.begin();
    expect(await problemOf(ours.finish(answer, { ...attempt, codeVerifier: other.codeVerifier }))).to.equal(
      "attempt_expired",
    );
  });

  it("may refuse the person, or not take this service for one of its own", async () => {
    const ours = await service();
    const { attempt } = await ours.begin();
    const refused = `error=access_denied&state=${attempt.state}&iss=${encodeURIComponent(provider?.issuer ?? "")}`;
    expect(await problemOf(ours.finish(refused, attempt))).to.equal("provider_refused");
    const stranger = serviceAt(provider?.issuer ?? "", { oidcClientSecret: "another secret" });
    expect(await problemOf(signIn(stranger, verified))).to.equal("provider_unavailable");
    expect(logged).to.include("invalid_client");
  });

  it("is looked up again once it answers", async () => {
    logged = "";
    const port = await freePort();
    const ours = serviceAt(`http://127.0.0.1:${port}`);
    expect(await problemOf(ours.begin())).to.equal("provider_unavailable");
    expect(logged).to.include("What the identity provider says of itself cannot be read.");
    const late = await startIdentityProvider(redirectUri, {}, port);
    provider = late;
    expect((await ours.begin()).url).to.include(late.issuer);
    await ours.begin();
    expect(late.asked.filter((url) => url.includes("well-known")).length).to.equal(1);
  });
});
