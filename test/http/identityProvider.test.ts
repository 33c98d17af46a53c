import { expect } from "chai";
import { Browser, type Visited } from "../support/browser.js";
import { freePort } from "../support/freePort.js";
import {
  clientId,
  clientSecret,
  startIdentityProvider,
  type ClaimsOfPerson,
  type ProviderUnderTest,
} from "../support/identityProvider.js";
import { signedIn, startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";

interface SessionAnswer {
  readonly email: string;
  readonly roles: readonly string[];
}

describe("signing in at an identity provider", () => {
  let provider: ProviderUnderTest;
  let service: ServiceUnderTest;
  before(async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    provider = await startIdentityProvider(`${url}/api/session/identity-provider/callback`);
    service = await startServiceUnderTest({
      PORT: String(port),
      PUBLIC_URL: url,
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: clientSecret,
      OIDC_ROLES_CLAIM: "roles",
    });
  });
  after(async () => {
    await service.stop();
    await provider.stop();
  });

  const begin = (returnTo: string): string =>
    `${service.url}/api/session/identity-provider?return_to=${encodeURIComponent(returnTo)}`;

  /** Signs a person in there, and comes back here as far as the callback has sent the browser. */
  async function signIn(browser: Browser, person: string, claims: ClaimsOfPerson, returnTo = "/"): Promise<string> {
    provider.people.set(person, claims);
    const back: Visited = await provider.signIn(browser, begin(returnTo), person);
    const answer = await browser.send(back.url);
    expect(answer.status).to.equal(303);
    return answer.headers.get("location") ?? "";
  }

  const whoAmI = (browser: Browser) => browser.ask<SessionAnswer>(`${service.url}/api/session`);
  const of = (email: string, ...roles: readonly string[]): ClaimsOfPerson => ({ email, email_verified: true, roles });

  it("makes an account of the first sign-in, and leads back to where the person was", async () => {
    const browser = new Browser();
    expect(await signIn(browser, "ada", of("Ada@Example.com", "auditor"), "/access/a?at=1")).to.equal("/access/a?at=1");
    expect((await whoAmI(browser)).body).to.deep.include({ email: "ada@example.com", roles: ["auditor"] });
    expect((await browser.ask(`${service.url}/api/audit/public-key`)).status).to.equal(200);
    const { body } = await service.operator.get<{ accounts: object[] }>("/api/admin/accounts");
    expect(body.accounts[0]).to.deep.include({ email: "ada@example.com", has_password: false, state: "enabled" });
    const kept = (await browser.cookies.getCookies(begin("/"))).map(({ key }) => key);
    expect(kept).to.include("amber_session").and.not.to.include("amber_sign_in");
  });

  it("lets roles follow the claim at every sign-in", async () => {
    const [one, other] = [new Browser(), new Browser()];
    await signIn(one, "bob", of("bob@example.com", "auditor", "operator"));
    await signIn(other, "bob", of("bob@example.com", "operator"));
    expect((await whoAmI(other)).body.roles).to.deep.equal(["operator"]);
    expect((await whoAmI(one)).status, "a role that is taken ends sessions").to.equal(401);
  });

  it("proves nobody whose email is not verified, and comes back with a word that says so", async () => {
    const browser = new Browser();
    const back = await signIn(browser, "eve", { email: "ada@example.com" }, "/search?query=a#x");
    expect(back).to.equal("/search?query=a&sign_in_fault=email_not_verified#x");
    expect((await whoAmI(browser)).status).to.equal(401);
  });

  it("opens no account that is disabled here", async () => {
    await signedIn(service.operator, "cat@example.com", []);
    await service.operator.post("/api/admin/accounts/cat@example.com/disable");
    const browser = new Browser();
    expect(await signIn(browser, "cat", of("cat@example.com", "administrator"))).to.equal(
      "/?sign_in_fault=account_disabled",
    );
    expect((await whoAmI(browser)).status).to.equal(401);
  });

  it("takes back nobody that it has not sent, and each of them once", async () => {
    const browser = new Browser();
    provider.people.set("dan", of("dan@example.com"));
    const { url } = await provider.signIn(browser, begin("/"), "dan");
    const elsewhere = await new Browser().send(url);
    expect(elsewhere.headers.get("location")).to.equal("/?sign_in_fault=attempt_expired");
    expect((await browser.send(url)).headers.get("location")).to.equal("/");
    expect((await browser.send(url)).headers.get("location")).to.equal("/?sign_in_fault=attempt_expired");
  });

  it("leads to no other site", async () => {
    for (const [place, target] of ["//evil.example/x", "https://evil.example", "/\\evil.example"].entries()) {
      const back = await signIn(new Browser(), `fay${place}`, of(`fay${place}@example.com`), target);
      expect(back, target).to.equal("/");
    }
  });

  it("keeps what it began with from scripts and other paths, for ten minutes, and back from the provider", async () => {
    const answer = await fetch(begin("/"), { redirect: "manual" });
    expect(answer.headers.get("location")).to.include(`${provider.issuer}/auth?`);
    expect(answer.headers.getSetCookie()[0]).to.match(
      /^amber_sign_in=[\w-]+; path=\/api\/session\/identity-provider; expires=.+; samesite=lax; httponly$/,
    );
    const options = await fetch(`${service.url}/api/session/options`).then((options_) => options_.json());
    expect(options).to.deep.include({ identity_provider: true });
  });
});

describe("without an identity provider", () => {
  it("there is nothing to be sent to", async () => {
    const service = await startServiceUnderTest();
    try {
      for (const path of ["/api/session/identity-provider", "/api/session/identity-provider/callback?code=x"])
        expect((await fetch(service.url + path)).status).to.equal(404);
    } finally {
      await service.stop();
    }
  });
});
