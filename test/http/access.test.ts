import { expect } from "chai";
import { apiRoutes } from "../../src/wiring/features.js";
import type { DescribedRoute } from "../../src/http/route.js";
import type { ApiClient } from "../support/apiClient.js";
import { signIn, startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";
import { accessTable, callers, type Caller } from "./accessTable.js";

const nameOf = ({ method, path }: DescribedRoute): string => `${method} ${path}`;
/** Nothing has such a name, so that whoever may call a route finds nothing to change. */
const addressOf = ({ path }: DescribedRoute): string => path.replaceAll(/\{\w+\}/g, "nothing");
const isRefused = (status: number): boolean => status === 401 || status === 403;

/** Some answers have no end: none is read. */
async function statusOf({ url, credential, session }: ApiClient, route: DescribedRoute): Promise<number> {
  const leaving = new AbortController();
  const { status } = await fetch(url + addressOf(route), {
    method: route.method,
    signal: leaving.signal,
    headers: {
      ...(credential !== null && { authorization: `Bearer ${credential}` }),
      ...(session !== null && { cookie: session.cookie, "x-csrf-token": session.csrfToken }),
    },
  });
  leaving.abort();
  return status;
}

describe("who may call which route", () => {
  let service: ServiceUnderTest;
  let clients: Record<Caller, ApiClient>;
  before(async () => {
    service = await startServiceUnderTest();
    const { indexing, operator } = service;
    const roles = ["administrator", "developer", "auditor", "operator"] as const;
    const [administrator, developer, auditor, looksAfter] = await Promise.all(
      roles.map((role) => service.signedIn(`${role}@example.com`, role)),
    );
    clients = {
      nobody: operator.as(null),
      garbage: operator.as("amber_key_x_y"),
      "service account": indexing,
      key: await service.person("key@example.com"),
      "auditor's key": await service.person("key@example.com", "auditor"),
      "operator's key": await service.person("key@example.com", "operator"),
      session: await service.signedIn("session@example.com"),
      ...({ administrator, developer, auditor, operator: looksAfter } as Record<(typeof roles)[number], ApiClient>),
      everything: await service.signedIn("everything@example.com", ...roles),
    };
  });
  after(() => service.stop());

  /** Sends it, and signs a person in again whom it has signed out. */
  async function send(caller: Caller, client: ApiClient, route: DescribedRoute): Promise<number> {
    const status = await statusOf(client, route);
    if (route.path.startsWith("/api/session") && route.method === "DELETE" && status === 200)
      clients[caller] = client.signedIn(await signIn(client, `${caller}@example.com`));
    return status;
  }

  it("is said of every route, and of none that there is not", () => {
    expect(Object.keys(accessTable).sort()).to.deep.equal(apiRoutes.map(nameOf).sort());
  });

  for (const route of apiRoutes)
    it(`${nameOf(route)}: as the table says`, async () => {
      const allowed: Caller[] = [];
      for (const caller of callers) {
        const status = await send(caller, clients[caller], route);
        expect(status, `${caller}: ${status}`).to.be.lessThan(501);
        if (!isRefused(status)) allowed.push(caller);
      }
      expect(allowed).to.deep.equal(accessTable[nameOf(route)]);
    });

  const changing = apiRoutes.filter(
    (route) => route.method !== "GET" && accessTable[nameOf(route)]?.includes("everything") && route.access !== "open",
  );

  it("is a matter of the page too, for whatever changes something: without its token nobody may", async () => {
    expect(changing.length).to.be.greaterThan(40);
    const { cookie = "" } = clients.everything.session ?? {};
    for (const csrfToken of ["", clients.session.session?.csrfToken ?? ""])
      for (const route of changing) {
        const page = service.operator.signedIn({ cookie, csrfToken });
        const { status, body } = await page.request<{ detail: string }>(route.method, addressOf(route), undefined);
        expect(status, nameOf(route)).to.equal(403);
        expect(body.detail, nameOf(route)).to.include("X-CSRF-Token");
      }
    expect((await clients.everything.get("/api/session")).status, "nobody was signed out").to.equal(200);
  });

  it("is said in a sentence that names the roles that are missing", async () => {
    const detail = async (caller: Caller, method: "GET" | "POST", path: string): Promise<string> =>
      (await clients[caller].request<{ detail: string }>(method, path, undefined)).body.detail;
    const creating = ["POST", "/api/admin/service-accounts"] as const;
    const both = "Creating service accounts needs the roles administrator and developer";
    expect(await detail("administrator", ...creating)).to.equal(`${both}; you lack developer.`);
    expect(await detail("developer", ...creating)).to.equal(`${both}; you lack administrator.`);
    expect(await detail("auditor", ...creating)).to.equal(`${both}; you lack administrator and developer.`);
    expect(await detail("operator's key", ...creating)).to.equal(`${both}, which no key carries. Sign in to do it.`);
    expect(await detail("key", "GET", "/api/admin/api-keys")).to.equal(
      "Listing personal keys is for people who are signed in; no key may do it.",
    );
    expect(await detail("key", "GET", "/api/audit/public-key")).to.match(
      /needs the role auditor; this key does not carry it\.$/,
    );
    expect(await detail("session", "GET", "/api/audit/public-key")).to.match(/needs the role auditor; you lack it\.$/);
    expect(await detail("session", "GET", "/api/beta/search?query=a&as_user=b@example.com")).to.equal(
      "Searching as somebody else, or as of a moment, needs the role auditor; you lack it.",
    );
  });
});
