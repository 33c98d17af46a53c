import { rm } from "node:fs/promises";
import { expect } from "chai";
import { createLogger } from "../../src/logging.js";
import { startService, type RunningService } from "../../src/main.js";
import { mintOperatorCredential } from "../../src/shared/credential.js";
import { EngineUnavailable } from "../../src/shared/failures.js";
import { failed } from "../../src/shared/result.js";
import { ApiClient } from "../support/apiClient.js";
import { Browser } from "../support/browser.js";
import {
  newDataDir,
  passwordOfTests,
  signedIn,
  signIn,
  startServiceUnderTest,
  type ServiceUnderTest,
} from "../support/startService.js";
import { testConfig } from "../support/testConfig.js";
import { startAppWithFakes } from "./appWithFakes.js";

interface SessionAnswer {
  readonly email: string;
  readonly roles: readonly string[];
  readonly csrf_token: string;
}

const json = { "content-type": "application/json" };
const statusOf = async (client: ApiClient, path = "/api/session"): Promise<number> => (await client.get(path)).status;

/** Another person each time, so that no test meets the limits of another. */
let people = 0;
const somebody = (): string => `person${++people}@example.com`;

describe("sessions", () => {
  let service: ServiceUnderTest;
  before(async () => (service = await startServiceUnderTest()));
  after(() => service.stop());

  /** A sign-in as a page sends it. */
  const send = (email: string, headers: Record<string, string> = {}, password = passwordOfTests): Promise<Response> =>
    fetch(`${service.url}/api/session`, {
      method: "POST",
      headers: { ...json, ...headers },
      body: JSON.stringify({ email, password }),
    });

  it("begin with a cookie that no script reads and no other site sends, and tell who is signed in", async () => {
    const email = somebody();
    await signedIn(service.operator, email, ["auditor"]);
    const answer = await send(` ${email.toUpperCase()} `);
    expect(answer.status).to.equal(200);
    const [cookie = "", mark, ...others] = answer.headers.getSetCookie();
    expect(others).to.deep.equal([]);
    expect(mark).to.match(
      /^amber_browser=[\w-]{22}\.[\w-]{43}; path=\/api\/session; expires=[^;]+; samesite=strict; httponly$/,
    );
    expect(cookie).to.match(
      /^amber_session=amber_session_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}; path=\/; samesite=strict; httponly$/,
    );
    const told = (await answer.json()) as SessionAnswer;
    expect(told).to.deep.include({ email, roles: ["auditor"], product: "amber", identity_provider: false });
    const session = { cookie: cookie.split(";")[0] ?? "", csrfToken: told.csrf_token };
    expect((await service.operator.signedIn(session).get("/api/session")).body).to.deep.equal(told);
    expect(await statusOf(service.operator.signedIn(session), "/api/audit/public-key")).to.equal(200);
  });

  it("have an id of their own for each sign-in, and end one by one", async () => {
    const email = somebody();
    const one = await signedIn(service.operator, email, []);
    const other = service.operator.signedIn(await signIn(one, email));
    expect(other.session?.cookie).not.to.equal(one.session?.cookie);
    expect((await one.delete("/api/session")).body).to.deep.equal({ status: "ok" });
    expect(await statusOf(one)).to.equal(401);
    expect(await statusOf(other)).to.equal(200);
  });

  it("end where their browser signs in again, as whomever", async () => {
    const one = await signedIn(service.operator, somebody(), []);
    const other = somebody();
    await signedIn(service.operator, other, []);
    const again = await send(other, { cookie: one.session?.cookie ?? "" });
    expect(again.status).to.equal(200);
    expect(await statusOf(one)).to.equal(401);
    const cookie = again.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    expect((await fetch(`${service.url}/api/session`, { headers: { cookie } })).status).to.equal(200);
  });

  it("end everywhere at once", async () => {
    const email = somebody();
    const one = await signedIn(service.operator, email, []);
    const other = service.operator.signedIn(await signIn(one, email));
    const answer = await one.delete("/api/session/everywhere");
    expect(answer.headers.getSetCookie()[0]).to.match(/^amber_session=; .*expires=Thu, 01 Jan 1970/);
    expect([await statusOf(one), await statusOf(other)]).to.deep.equal([401, 401]);
    expect(await statusOf(service.operator.signedIn(await signIn(one, email)))).to.equal(200);
  });

  it("say that one has to sign in again", async () => {
    const stranger = service.operator.signedIn({
      cookie: `amber_session=amber_session_x_${"y".repeat(43)}`,
      csrfToken: "",
    });
    const { status, body } = await stranger.get<{ detail: string }>("/api/beta/search?query=a");
    expect({ status, ...body }).to.deep.equal({
      status: 401,
      detail: "You are not signed in any more. Sign in again.",
    });
  });

  it("end with the account, and are as many-sided as it is now", async () => {
    const email = somebody();
    const page = await signedIn(service.operator, email, []);
    const roles = (list: readonly string[]) =>
      service.operator.put(`/api/admin/accounts/${email}/roles`, { roles: list });
    expect(await statusOf(page, "/api/audit/public-key")).to.equal(403);
    await roles(["auditor", "operator"]);
    expect(await statusOf(page, "/api/audit/public-key")).to.equal(200);
    await roles(["operator"]);
    expect(await statusOf(page, "/api/admin/agents"), "a role that is taken ends sessions").to.equal(401);
    const again = service.operator.signedIn(await signIn(page, email));
    expect(await statusOf(again, "/api/audit/public-key")).to.equal(403);
    await service.operator.post(`/api/admin/accounts/${email}/disable`);
    expect(await statusOf(again)).to.equal(401);
    expect((await send(email)).status).to.equal(401);
    await service.operator.post(`/api/admin/accounts/${email}/enable`);
    expect(await statusOf(again), "what has ended stays so").to.equal(401);
    expect((await send(email)).status).to.equal(200);
  });

  it("end with a new password, but for the one that set it", async () => {
    const email = somebody();
    const [page, other] = [
      await signedIn(service.operator, email, []),
      service.operator.signedIn(await signIn(service.operator, email)),
    ];
    const wrong = await page.post<{ detail: string }>("/api/session/password", { current: "x", new: "y" });
    expect(wrong).to.deep.include({
      status: 403,
      body: { detail: "The present password is another one. Nothing was changed." },
    });
    const short = await page.post("/api/session/password", { current: passwordOfTests, new: "short" });
    expect(short.status).to.equal(422);
    const next = "quite another set of five words";
    const changed = await page.post<SessionAnswer>("/api/session/password", { current: passwordOfTests, new: next });
    expect(changed.status).to.equal(200);
    const cookie = changed.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    expect(await statusOf(service.operator.signedIn({ cookie, csrfToken: "" }))).to.equal(200);
    expect([await statusOf(page), await statusOf(other)]).to.deep.equal([401, 401]);
    expect((await send(email)).status).to.equal(401);
    expect((await send(email, {}, next)).status).to.equal(200);
  });

  it("need a token of their own page for whatever changes something", async () => {
    const page = await signedIn(service.operator, somebody(), ["operator"]);
    const other = await signedIn(service.operator, somebody(), ["operator"]);
    const { cookie = "", csrfToken = "" } = page.session ?? {};
    for (const forged of ["", "x", other.session?.csrfToken ?? ""]) {
      const client = service.operator.signedIn({ cookie, csrfToken: forged });
      const { status, body } = await client.delete<{ detail: string }>("/api/session");
      expect(status).to.equal(403);
      expect(body.detail).to.include("X-CSRF-Token");
      expect(await statusOf(client)).to.equal(200);
    }
    expect((await service.operator.signedIn({ cookie, csrfToken }).delete("/api/session")).status).to.equal(200);
  });

  it("count only where no token comes, and not for programs", async () => {
    const page = await signedIn(service.operator, somebody(), ["auditor", "operator", "administrator", "developer"]);
    const { cookie = "" } = page.session ?? {};
    const withBoth = (path: string, authorization: string) =>
      fetch(service.url + path, { headers: { cookie, authorization } }).then(({ status }) => status);
    expect(await withBoth("/api/session", "Bearer nonsense")).to.equal(401);
    expect(await withBoth("/api/beta/search?query=a", "Basic eDp5")).to.equal(401);
    expect(await statusOf(page, "/api/indexing/datasources")).to.equal(401);
    expect((await page.post("/mcp", {})).status).to.equal(401);
  });

  it("begin on pages of this service alone", async () => {
    const email = somebody();
    await signedIn(service.operator, email, []);
    const from = async (headers: Record<string, string>): Promise<number> => (await send(email, headers)).status;
    for (const headers of [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { origin: "https://evil.example" },
      { origin: "null" },
    ])
      expect(await from(headers as never), JSON.stringify(headers)).to.equal(403);
    expect(await from({ "sec-fetch-site": "same-origin", origin: service.url })).to.equal(200);
    const behindTls = { "sec-fetch-site": "same-origin", origin: service.url.replace("http:", "https:") };
    expect(await from(behindTls), "a proxy took the https away and is not told of").to.equal(200);
    expect(await from({})).to.equal(200);
  });

  it("tell nobody whether there is an account", async () => {
    const [email, disabled, linked] = [somebody(), somebody(), somebody()];
    await signedIn(service.operator, email, []);
    await signedIn(service.operator, disabled, []);
    await service.operator.post(`/api/admin/accounts/${disabled}/disable`);
    await service.operator.post("/api/admin/accounts", { email: linked });
    const answers = await Promise.all(
      [send(email, {}, "wrong"), send(somebody()), send(disabled), send(linked)].map(async (sent) => {
        const answer = await sent;
        return { status: answer.status, cookies: answer.headers.getSetCookie(), body: await answer.text() };
      }),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).to.equal(1);
    expect(answers[0]).to.deep.include({ status: 401, cookies: [] });
  });

  it("are let in where others have failed, by a browser that the account knows, ten times", async () => {
    const [email, other] = [somebody(), somebody()];
    const markOf = async (address: string): Promise<string> => {
      await signedIn(service.operator, address, []);
      return (await send(address)).headers.getSetCookie()[1]?.split(";")[0] ?? "";
    };
    const [known, ofOther] = [await markOf(email), await markOf(other)];
    for (let failures = 0; failures < 10; failures++) await send(email, {}, "wrong");
    const forged = known.replace(/.$/, (last) => (last === "A" ? "B" : "A"));
    const more = `${known}.x`;
    const wide = known.replace(/.$/, "é");
    for (const cookie of ["", ofOther, forged, more, wide, "amber_browser=.", "amber_browser=a"])
      expect((await send(email, { cookie })).status, cookie).to.equal(429);
    expect((await send(email, { cookie: known })).status).to.equal(200);
    for (let failures = 0; failures < 10; failures++)
      expect((await send(email, { cookie: known }, "wrong")).status).to.equal(401);
    expect((await send(email, { cookie: known })).status).to.equal(429);
  });

  it("are refused to an account that has failed ten times, whoever tries, and to nobody else", async () => {
    const email = somebody();
    await signedIn(service.operator, email, []);
    // All at once: those under way count too.
    const statuses = await Promise.all(Array.from({ length: 12 }, async () => (await send(email, {}, "wrong")).status));
    expect(statuses.filter((status) => status === 401).length).to.equal(10);
    const refused = await send(email);
    expect(refused.status).to.equal(429);
    expect(Number(refused.headers.get("retry-after"))).to.be.within(1, 900);
    const other = somebody();
    await signedIn(service.operator, other, []);
    expect((await send(other)).status).to.equal(200);
  });

  it("are written down under the person's name", async () => {
    const email = somebody();
    const page = await signedIn(service.operator, email, ["operator"]);
    const created = await page.post<{ id: string }>("/api/admin/api-keys", {});
    const { body } = await service.operator.get<object>(`/api/admin/events?stream=apiKey-${created.body.id}`);
    expect(body).to.deep.include({ by: email, type: "ApiKeyCreated" });
    const text = JSON.stringify(
      await fetch(`${service.url}/api/admin/events?category=session`, {
        headers: { authorization: `Bearer ${service.operator.credential ?? ""}` },
      }).then((answer) => answer.text()),
    );
    expect(text).to.include("SessionStarted");
    expect(text).not.to.match(/sha256|argon2/i);
    expect(text).not.to.include(page.session?.cookie.slice(-43));
  });

  it("share the rate of requests of their person", async () => {
    const limited = await startServiceUnderTest({ RATE_LIMIT_PER_MINUTE: "3" });
    try {
      const email = somebody();
      const one = await signedIn(limited.operator, email, []);
      const other = limited.operator.signedIn(await signIn(one, email));
      const statuses = [await statusOf(one), await statusOf(other), await statusOf(one), await statusOf(other)];
      expect(statuses).to.deep.equal([200, 200, 200, 429]);
    } finally {
      await limited.stop();
    }
  });
});

describe("the cookie of a session", () => {
  const attributes = async (settings: NodeJS.ProcessEnv, headers: Record<string, string> = {}): Promise<string> => {
    const service = await startServiceUnderTest(settings);
    try {
      const email = somebody();
      await signedIn(service.operator, email, []);
      const answer = await fetch(`${service.url}/api/session`, {
        method: "POST",
        headers: { ...json, ...headers },
        body: JSON.stringify({ email, password: passwordOfTests }),
      });
      return answer.headers.getSetCookie()[0] ?? "";
    } finally {
      await service.stop();
    }
  };
  const forwarded = { "x-forwarded-proto": "https", "x-forwarded-for": "203.0.113.7" };

  it("is for https alone where people reach the service so, and says the product's name", async () => {
    expect(await attributes({}, forwarded), "whoever is not believed").not.to.include("secure");
    expect(await attributes({ TRUSTED_PROXIES: "1", PRODUCT_NAME: "acme" }, forwarded)).to.match(
      /^acme_session=acme_session_\w+; path=\/; samesite=strict; secure; httponly$/,
    );
    expect(await attributes({ PUBLIC_URL: "https://search.example.com" })).to.include("; secure");
    expect(await attributes({ PUBLIC_URL: "http://search.example.com" })).not.to.include("secure");
  });
});

describe("a sign-in that the service could not look at", () => {
  it("has not failed: whoever tries again while the log is away is not kept out afterwards", async () => {
    let isAway = true;
    const app = await startAppWithFakes({
      commands: {
        startSession: () =>
          isAway
            ? Promise.reject(new EngineUnavailable("It is away."))
            : Promise.resolve(failed({ type: "SignInRefused" })),
      },
    });
    const attempt = async (): Promise<number> =>
      (
        await fetch(`${app.url}/api/session`, {
          method: "POST",
          headers: json,
          body: JSON.stringify({ email: "ada@example.com", password: passwordOfTests }),
        })
      ).status;
    try {
      for (let count = 0; count < 12; count++) expect(await attempt()).to.equal(503);
      isAway = false;
      for (let count = 0; count < 10; count++) expect(await attempt()).to.equal(401);
      expect(await attempt()).to.equal(429);
    } finally {
      await app.stop();
    }
  });
});

describe("limits of sign-ins behind a proxy", () => {
  it("are of the address that the proxy tells, and not of what its client says", async () => {
    const service = await startServiceUnderTest({ TRUSTED_PROXIES: "1" });
    const attempt = async (address: string): Promise<number> =>
      (
        await fetch(`${service.url}/api/session`, {
          method: "POST",
          headers: { ...json, "x-forwarded-for": `${Math.random()}, ${address}` },
          body: JSON.stringify({ email: somebody(), password: "wrong" }),
        })
      ).status;
    try {
      for (let count = 0; count < 100; count++) expect(await attempt("203.0.113.7")).to.equal(401);
      expect(await attempt("203.0.113.7")).to.equal(429);
      expect(await attempt("203.0.113.8")).to.equal(401);
    } finally {
      await service.stop();
    }
  });
});

describe("a link", () => {
  let service: ServiceUnderTest;
  before(async () => (service = await startServiceUnderTest()));
  after(() => service.stop());

  const use = (email: string, secret: string, password = passwordOfTests) =>
    service.operator
      .as(null)
      .post<SessionAnswer & { detail?: unknown }>("/api/session/link", { email, secret, password });
  const secretIn = (url: string): string => new URLSearchParams(new URL(url).hash.slice(1)).get("secret") ?? "";

  it("sets a password once, and signs in", async () => {
    const email = somebody();
    const created = await service.operator.post<{ link: { url: string } }>("/api/admin/accounts", {
      email,
      roles: ["auditor"],
    });
    const { url } = created.body.link;
    expect(url).to.match(new RegExp(`^${service.url}/welcome#email=${encodeURIComponent(email)}&secret=\\w{43}$`));
    expect((await use(email, "another")).status).to.equal(403);
    expect((await use(email, secretIn(url), "short")).status, "the link is not used up by that").to.equal(422);
    expect((await use(email, secretIn(url))).body).to.deep.include({ email, roles: ["auditor"] });
    expect((await use(email, secretIn(url))).status).to.equal(403);
    await signIn(service.operator, email);
  });

  it("takes the place of the one before, and is no use to who is disabled", async () => {
    const email = somebody();
    const page = await signedIn(service.operator, email, []);
    const issue = async (): Promise<string> =>
      secretIn(
        (await service.operator.post<{ link: { url: string } }>(`/api/admin/accounts/${email}/link`)).body.link.url,
      );
    const [first, second] = [await issue(), await issue()];
    expect((await use(email, first)).status).to.equal(403);
    expect((await use(email, second, "five new words in a row")).status).to.equal(200);
    expect(await statusOf(page), "a new password ends sessions").to.equal(401);
    const third = await issue();
    await service.operator.post(`/api/admin/accounts/${email}/disable`);
    expect((await use(email, third)).status).to.equal(403);
    expect((await service.operator.post(`/api/admin/accounts/${email}/link`)).status).to.equal(403);
  });
});

describe("sessions over several processes", () => {
  it("survive a restart, and end in all of them", async () => {
    const dataDir = newDataDir();
    const operatorCredential = mintOperatorCredential();
    const start = (role: string): Promise<RunningService> => {
      const config = testConfig({ DATA_DIR: dataDir, ROLE: role });
      return startService(config, createLogger(config), { operatorCredential });
    };
    const first = await start("all");
    const page = await signedIn(new ApiClient(first.url, operatorCredential), "ada@example.com", []);
    await first.stop();
    const [again, other] = [await start("all"), await start("api")];
    try {
      await Promise.all([again.ready, other.ready]);
      expect([await statusOf(page.at(again.url)), await statusOf(page.at(other.url))]).to.deep.equal([200, 200]);
      await page.at(other.url).delete("/api/session");
      while ((await statusOf(page.at(again.url))) !== 401);
      expect(await statusOf(page.at(other.url))).to.equal(401);
    } finally {
      await Promise.all([again.stop(), other.stop()]);
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});

describe("the first account", () => {
  it("is made with a link of the log, once, where nobody has one", async () => {
    const dataDir = newDataDir();
    const config = testConfig({ DATA_DIR: dataDir, LOG_LEVEL: "info" });
    const told: string[] = [];
    const logger = Object.assign(createLogger({ logLevel: "silent" }), {
      info: (line: unknown) => told.push(String(line)),
    });
    const service = await startService(config, logger as never, { offersFirstAccount: true });
    const browser = new Browser();
    const options = async () =>
      (await browser.ask<{ needs_first_account: boolean }>(`${service.url}/api/session/options`)).body;
    try {
      while (!told.some((line) => line.includes("/welcome#first="))) await options();
      expect(await options()).to.deep.equal({ product: "amber", identity_provider: false, needs_first_account: true });
      const secret = /#first=(\w+) within an hour/.exec(told.join("\n"))?.[1] ?? "";
      const use = (email: string, given: string, password = passwordOfTests) =>
        browser.ask<SessionAnswer>(`${service.url}/api/session/link`, {
          method: "POST",
          body: { email, secret: given, password },
        });
      expect((await use("ada@example.com", "another")).status).to.equal(403);
      expect((await use("ada@example.com", secret, "short")).status).to.equal(422);
      const atOnce = await Promise.all(["Ada", "Bob", "Eve"].map((name) => use(`${name}@example.com`, secret)));
      expect(
        atOnce.map(({ status }) => status),
        "of several at once, one",
      ).to.deep.equal([200, 403, 403]);
      expect(atOnce[0]?.body).to.deep.include({
        email: "ada@example.com",
        roles: ["administrator", "auditor", "developer", "operator"],
      });
      expect((await browser.ask(`${service.url}/api/admin/accounts`)).status, "the cookie is there").to.equal(200);
      expect((await use("eve@example.com", secret)).status).to.equal(403);
      expect(await options()).to.have.property("needs_first_account", false);
    } finally {
      await service.stop();
    }
    told.length = 0;
    const again = await startService(config, logger as never, { offersFirstAccount: true });
    await again.ready;
    await again.stop();
    expect(told.filter((line) => line.includes("welcome"))).to.deep.equal([]);
    await rm(dataDir, { recursive: true, force: true });
  });
});
