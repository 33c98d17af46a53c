import { expect } from "chai";
import type { ApiClient } from "../support/apiClient.js";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";

const datasources = "/api/indexing/datasources";
const user = { email: "ada@example.org" };

describe("a service account that is limited to datasources", () => {
  let service: ServiceUnderTest;
  let limited: ApiClient;
  before(async () => {
    service = await startServiceUnderTest();
    await register(service.indexing, "hr");
    limited = await service.serviceAccount({ datasources: ["hr", "payroll", "never"] });
  });
  after(() => service.stop());

  const register = async (client: ApiClient, name: string): Promise<number> =>
    (await client.post(datasources, { name })).status;
  const registerAgain = async (name: string): Promise<void> => {
    expect((await service.indexing.delete(`${datasources}/${name}`)).status).to.equal(200);
    expect(await register(service.indexing, name)).to.equal(200);
  };

  /** What becomes of a write, of reads, and of one check among others. */
  const asked = async (name: string): Promise<readonly number[]> => {
    const check = { datasource: name, document_id: "a", user_email: user.email };
    const writes = await limited.post("/api/indexing/users", { datasource: name, user });
    const reads = [
      await limited.get(`${datasources}/${name}`),
      await limited.get(`/api/indexing/users/${name}`),
      await limited.post("/api/indexing/documents/check-access", check),
    ];
    const batch = await limited.post<{ results: { error: { status: number } }[] }>(
      "/api/indexing/documents/check-access/batch",
      { checks: [check] },
    );
    return [...[writes, ...reads].map(({ status }) => status), ...batch.body.results.map(({ error }) => error.status)];
  };
  const opened = [200, 200, 200, 404, 404];
  const closed = [403, 403, 403, 403, 403];
  const listed = async (): Promise<readonly string[]> =>
    (await limited.get<{ name: string }[]>(datasources)).body.map(({ name }) => name);

  it("opens the datasource that had the name when it was made, and none that has it later", async () => {
    expect(await asked("hr")).to.deep.equal(opened);
    await registerAgain("hr");
    expect(await asked("hr")).to.deep.equal(closed);
    expect(await listed()).to.deep.equal([]);
  });

  it("opens the first datasource that comes to have the name, which it may register itself", async () => {
    expect(await register(limited, "payroll")).to.equal(200);
    expect(await asked("payroll")).to.deep.equal(opened);
    expect(await listed()).to.deep.equal(["payroll"]);
    expect((await limited.delete(`${datasources}/payroll`)).status).to.equal(200);
    expect(await register(limited, "payroll")).to.equal(403);
    expect(await register(service.indexing, "payroll")).to.equal(200);
    expect(await asked("payroll")).to.deep.equal(closed);
  });

  it("is listed with the names of its limits, and with those whose datasource is gone", async () => {
    const { body } = await service.operator.get<{ service_accounts: object[] }>("/api/admin/service-accounts");
    expect(body.service_accounts.at(-1)).to.deep.include({
      datasources: ["hr", "payroll", "never"],
      datasources_gone: ["hr", "payroll"],
    });
  });

  it("is bound by one event, whatever it asks", async () => {
    await limited.get(datasources);
    const answer = await service.operator.get<string>("/api/admin/events?category=serviceAccount");
    const types = String(answer.body).match(/ServiceAccount(Created|Bound)/g);
    expect(types?.filter((type) => type === "ServiceAccountBound")).to.have.length(1);
  });

  it("opens what the log says, also while the catalogue stands still", async () => {
    const catalogue = "/api/admin/projections/catalogue";
    const early = await service.serviceAccount({ datasources: ["press"] });
    expect(await register(service.indexing, "press")).to.equal(200);
    const bound = await service.serviceAccount({ datasources: ["press"] });
    expect((await service.operator.post(`${catalogue}/pause`, {})).status).to.equal(200);
    await registerAgain("press");
    // Without a consistency token: with one, these would wait for the catalogue.
    const sent = async ({ credential }: ApiClient, path: string, body?: object): Promise<number> => {
      const headers = { authorization: `Bearer ${credential}`, "content-type": "application/json" };
      const request = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
      return (await fetch(`${service.url}/api/indexing/${path}`, request)).status;
    };
    const answers = {
      bound: await sent(bound, "users/press"),
      early: await sent(early, "users", { datasource: "press", user }),
    };
    expect((await service.operator.post(`${catalogue}/resume`, {})).status).to.equal(200);
    expect(answers).to.deep.equal({ bound: 403, early: 200 });
  });
});
