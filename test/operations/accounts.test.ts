import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { expect } from "chai";
import type { ApiClient } from "../support/apiClient.js";
import { signIn, startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";

interface Account {
  readonly email: string;
  readonly roles: readonly string[];
  readonly state: string;
  readonly has_password: boolean;
  readonly created_by: string;
  readonly last_sign_in_at: string | null;
}

const accounts = "/api/admin/accounts";
const detailOf = ({ body }: { readonly body: unknown }): unknown => (body as { readonly detail: unknown }).detail;

describe("accounts over HTTP", () => {
  let service: ServiceUnderTest;
  let root: ApiClient;
  before(async () => {
    service = await startServiceUnderTest();
    root = await service.signedIn("root@example.com", "administrator");
  });
  after(() => service.stop());

  const listed = async (email: string): Promise<Account | undefined> =>
    (await root.get<{ accounts: readonly Account[] }>(accounts)).body.accounts.find((one) => one.email === email);

  it("are made, listed and given roles by an administrator, whose name is written down", async () => {
    const { status, body, headers } = await root.post(accounts, {
      email: " Ada@Example.com ",
      roles: ["operator", "auditor"],
    });
    expect(status).to.equal(200);
    expect(body).to.deep.include({ email: "ada@example.com", roles: ["auditor", "operator"] });
    expect(headers.has("x-consistency-token")).to.equal(true);
    expect(await listed("ada@example.com")).to.deep.include({
      roles: ["auditor", "operator"],
      state: "enabled",
      has_password: false,
      created_by: "root@example.com",
      last_sign_in_at: null,
    });
    expect((await listed("root@example.com"))?.last_sign_in_at).to.be.a("string");
    const given = await root.put(`${accounts}/ADA%40example.com/roles`, { roles: ["developer", "developer"] });
    expect(given.body).to.deep.equal({ email: "ada@example.com", roles: ["developer"] });
    expect((await listed("ada@example.com"))?.roles).to.deep.equal(["developer"]);
    const { body: events } = await service.operator.get<string>(`/api/admin/events?stream=account-ada@example.com`);
    const written = String(events)
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { by: string; type: string });
    expect(written.map(({ type }) => type)).to.include.members([
      "AccountCreated",
      "AccountRoleGiven",
      "AccountRoleTaken",
    ]);
    expect(new Set(written.map(({ by }) => by))).to.deep.equal(new Set(["root@example.com"]));
    expect(String(events)).not.to.match(/sha256/i);
  });

  it("are refused where they cannot be", async () => {
    expect((await root.post(accounts, { email: "root@example.com" })).status).to.equal(409);
    expect((await root.post(accounts, { email: " " })).status).to.equal(400);
    // Its acts would be taken for those of the command line.
    expect((await root.post(accounts, { email: "operator" })).status).to.equal(422);
    expect((await root.post(accounts, { email: "x@example.com", roles: ["king"] })).status).to.equal(422);
    expect(
      (await root.post(accounts, { email: "x@example.com", password: "five words for somebody else" })).status,
    ).to.equal(403);
    for (const [method, action, body] of [
      ["PUT", "roles", { roles: [] }],
      ["POST", "link", undefined],
      ["POST", "disable", undefined],
      ["POST", "enable", undefined],
    ] as const)
      expect((await root.request(method, `${accounts}/nobody@example.com/${action}`, body)).status, action).to.equal(
        404,
      );
  });

  it("leave one administrator, whoever asks", async () => {
    const own = `${accounts}/Root@example.com`;
    const taken = await root.put(`${own}/roles`, { roles: ["auditor"] });
    expect(taken.status).to.equal(409);
    expect(detailOf(taken)).to.include("own administrator role");
    expect((await root.post(`${own}/disable`)).status).to.equal(409);
    expect((await root.put(`${own}/roles`, { roles: ["administrator", "operator"] })).status).to.equal(200);
    expect((await service.operator.post(`${accounts}/nobody2@example.com/disable`)).status).to.equal(404);
  });

  it("make and rotate service accounts, with both roles", async () => {
    const path = "/api/admin/service-accounts";
    expect((await root.post(path, { name: "sync" })).status).to.equal(403);
    const maker = await service.signedIn("maker@example.com", "administrator", "developer");
    const created = await maker.post<{ id: string; token: string }>(path, { name: "sync" });
    const { id, token } = created.body;
    const works = async (given: string): Promise<number> =>
      (await service.operator.as(given).get("/api/indexing/file-types")).status;
    expect(await works(token)).to.equal(200);
    expect((await root.post(`${path}/${id}/rotate`, {})).status).to.equal(403);
    const rotated = await maker.post<{ id: string; token: string; previous_token_ends_at: string }>(
      `${path}/${id}/rotate`,
      {},
    );
    expect(rotated.body.id).to.equal(id);
    const hours = (Date.parse(rotated.body.previous_token_ends_at) - Date.now()) / 3_600_000;
    expect(hours).to.be.within(23.9, 24);
    expect([await works(token), await works(rotated.body.token)]).to.deep.equal([200, 200]);
    interface Listed {
      readonly service_accounts: readonly { id: string; created_by: string; previous_token_ends_at: string | null }[];
    }
    const find = async () => (await root.get<Listed>(path)).body.service_accounts.find((account) => account.id === id);
    expect(await find()).to.deep.include({
      created_by: "maker@example.com",
      last_used_at: null,
      previous_token_ends_at: rotated.body.previous_token_ends_at,
    });
    const again = await maker.post<{ token: string }>(`${path}/${id}/rotate`, { overlap_hours: 0 });
    expect([await works(token), await works(rotated.body.token), await works(again.body.token)]).to.deep.equal([
      401, 401, 200,
    ]);
    expect((await find())?.previous_token_ends_at).to.equal(null);
    for (const hoursGiven of [-1, 721, 1.5, "1"])
      expect((await maker.post(`${path}/${id}/rotate`, { overlap_hours: hoursGiven })).status).to.equal(422);
    expect((await root.delete(`${path}/${id}`)).status, "to revoke one, administrator is enough").to.equal(200);
    expect((await maker.post(`${path}/${id}/rotate`, {})).status).to.equal(409);
    expect((await maker.post(`${path}/nothing/rotate`, {})).status).to.equal(404);
  });

  it("have personal keys, each person their own, with roles that the person has", async () => {
    const path = "/api/admin/api-keys";
    interface Keys {
      readonly api_keys: readonly { readonly id: string; readonly email: string }[];
    }
    const [bob, eve] = [
      await service.signedIn("bob@example.com", "auditor"),
      await service.signedIn("eve@example.com", "operator"),
    ];
    const mine = await bob.post<{ id: string; email: string; key: string }>(path, { roles: ["auditor"] });
    expect(mine.body.email).to.equal("bob@example.com");
    expect((await service.operator.as(mine.body.key).get("/api/audit/public-key")).status).to.equal(200);
    const beyond = await bob.post(path, { roles: ["operator"] });
    expect(beyond.status).to.equal(403);
    expect(detailOf(beyond)).to.equal("Creating keys for this role needs the role operator; you lack it.");
    const others = await bob.post(path, { email: "eve@example.com" });
    expect(detailOf(others)).to.equal("Creating keys for others needs the role administrator; you lack it.");
    expect((await eve.get<Keys>(path)).body.api_keys).to.deep.equal([]);
    expect((await bob.get<Keys>(path)).body.api_keys.map(({ id }) => id)).to.deep.equal([mine.body.id]);
    expect((await bob.get(`${path}?all=true`)).status).to.equal(403);
    const all = (await root.get<Keys>(`${path}?all=true`)).body.api_keys;
    expect(all.map(({ email }) => email)).to.include("bob@example.com");
    expect((await root.get<Keys>(path)).body.api_keys).to.deep.equal([]);

    const ofEve = await root.post<{ id: string }>(path, { email: "eve@example.com", roles: ["operator"] });
    expect(ofEve.status).to.equal(200);
    const foreign = await bob.delete(`${path}/${ofEve.body.id}`);
    const unknown = await bob.delete(`${path}/nothing`);
    expect([foreign.status, unknown.status]).to.deep.equal([404, 404]);
    expect(String(detailOf(foreign)).replace(ofEve.body.id, "nothing")).to.equal(detailOf(unknown));
    expect((await eve.delete(`${path}/${ofEve.body.id}`)).status).to.equal(200);
    expect((await root.delete(`${path}/${mine.body.id}`)).status).to.equal(200);
    expect((await service.operator.as(mine.body.key).get("/api/beta/search?query=a")).status).to.equal(401);
  });

  it("bound what their own keys may do, and whether these count", async () => {
    const dan = await service.signedIn("dan@example.com", "auditor", "operator");
    const made = await dan.post<{ key: string }>("/api/admin/api-keys", { roles: ["auditor", "operator"] });
    const given = await root.post<{ key: string }>("/api/admin/api-keys", {
      ...{ email: "dan@example.com", roles: ["auditor"] },
    });
    const statuses = (key: string): Promise<readonly number[]> =>
      Promise.all(
        ["/api/audit/public-key", "/api/admin/agents", "/api/beta/search?query=a"].map(
          async (path) => (await service.operator.as(key).get(path)).status,
        ),
      );
    expect(await statuses(made.body.key)).to.deep.equal([200, 200, 200]);
    await root.put(`${accounts}/dan@example.com/roles`, { roles: ["operator"] });
    expect(await statuses(made.body.key), "a role that is taken").to.deep.equal([403, 200, 200]);
    await root.post(`${accounts}/dan@example.com/disable`);
    expect(await statuses(made.body.key), "disabled").to.deep.equal([401, 401, 401]);
    expect(await statuses(given.body.key), "an administrator's word").to.deep.equal([200, 403, 200]);
    await root.post(`${accounts}/dan@example.com/enable`);
    expect(await statuses(made.body.key), "enabled").to.deep.equal([403, 200, 200]);
  });

  it("do nothing any more once that is taken from them, however slowly they ask for it", async () => {
    const eva = await service.signedIn("eva@example.com", "administrator");
    const body = JSON.stringify({ roles: ["administrator"] });
    const { cookie = "", csrfToken = "" } = eva.session ?? {};
    const asking = request(`${service.url}${accounts}/eva@example.com/roles`, {
      method: "PUT",
      headers: {
        ...{ cookie, "x-csrf-token": csrfToken, expect: "100-continue" },
        ...{ "content-type": "application/json", "content-length": body.length },
      },
    });
    // The body is asked for once the caller is proven.
    await once(asking, "continue");
    await root.put(`${accounts}/eva@example.com/roles`, { roles: [] });
    asking.end(body);
    const [answer] = (await once(asking, "response")) as [IncomingMessage];
    answer.resume();
    expect(answer.statusCode).to.equal(401);
    expect((await listed("eva@example.com"))?.roles).to.deep.equal([]);
  });

  it("follow the log no further than they may read it", async () => {
    const fay = await service.signedIn("fay@example.com", "operator");
    const { cookie = "" } = fay.session ?? {};
    const followed = await fetch(`${service.url}/api/admin/events?category=account&follow=true`, {
      headers: { cookie },
    });
    const reader = (followed.body as ReadableStream<Uint8Array>).getReader();
    let told = "";
    const readUntil = async (text: string): Promise<void> => {
      while (!told.includes(text)) {
        const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
        if (done || value === undefined) return;
        told += new TextDecoder().decode(value);
      }
    };
    await readUntil("fay@example.com");
    await root.post(`${accounts}/fay@example.com/disable`);
    await root.post(accounts, { email: "gus@example.com" });
    await readUntil("gus@example.com");
    expect(told).not.to.include("gus@example.com");
  });

  it("that are disabled or enabled twice are so", async () => {
    const page = await service.signedIn("cat@example.com");
    for (const [action, state] of [
      ["disable", "disabled"],
      ["disable", "disabled"],
      ["enable", "enabled"],
      ["enable", "enabled"],
    ] as const)
      expect((await root.post(`${accounts}/cat@example.com/${action}`)).body).to.deep.equal({
        email: "cat@example.com",
        state,
      });
    expect((await page.get("/api/session")).status).to.equal(401);
    await signIn(page, "cat@example.com");
  });
});
