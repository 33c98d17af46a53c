import { expect } from "chai";
import { linesOf } from "../../src/operations/routes/events.js";
import { startService } from "../../src/main.js";
import { mintOperatorCredential } from "../../src/shared/credential.js";
import { createLogger } from "../../src/logging.js";
import { ApiClient } from "../support/apiClient.js";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";
import { testConfig } from "../support/testConfig.js";

interface Created {
  readonly id: string;
  readonly token?: string;
  readonly key?: string;
}

const accounts = "/api/admin/service-accounts";
const keys = "/api/admin/api-keys";

describe("administration over HTTP", () => {
  let service: ServiceUnderTest;
  before(async () => (service = await startServiceUnderTest()));
  after(() => service.stop());

  describe("credentials", () => {
    it("are made, work at once, are listed and revoked", async () => {
      const { body: account, headers } = await service.operator.post<Created>(accounts, {
        name: "sync",
        datasources: ["wiki"],
        expires_at: "2999-01-31",
      });
      expect(account).to.deep.equal({
        id: account.id,
        name: "sync",
        datasources: ["wiki"],
        expires_at: "2999-01-31T00:00:00.000Z",
        token: account.token,
      });
      expect(headers.has("x-consistency-token")).to.equal(true);
      const holder = service.operator.as(account.token ?? "");
      expect((await holder.get("/api/indexing/file-types")).status).to.equal(200);
      const listed = await service.operator.get<{ service_accounts: readonly { id: string; state: string }[] }>(
        accounts,
      );
      expect(listed.body.service_accounts.find(({ id }) => id === account.id)).to.deep.include({
        name: "sync",
        state: "active",
        revoked_at: null,
      });
      expect(JSON.stringify(listed.body)).not.to.include("sha256");
      for (let times = 0; times < 2; times++)
        expect((await service.operator.delete(`${accounts}/${account.id}`)).body).to.deep.equal({
          id: account.id,
          revoked: true,
        });
      expect((await holder.get("/api/indexing/file-types")).status).to.equal(401);
    });

    it("carry roles, each once", async () => {
      const { body } = await service.operator.post<{ roles: readonly string[]; email: string }>(keys, {
        email: " Ada@Example.com ",
        roles: ["operator", "auditor", "operator"],
      });
      expect(body).to.deep.include({ email: "ada@example.com", roles: ["auditor", "operator"] });
    });

    it("are recorded as made by the operator", async () => {
      const { body: key } = await service.operator.post<Created>(keys, { email: "bob@example.com" });
      const { body } = await service.operator.get<string>(`/api/admin/events?stream=apiKey-${key.id}`);
      expect(JSON.parse(JSON.stringify(body))).to.deep.include({ by: "operator", type: "ApiKeyCreated" });
    });

    it("are refused where they could not be used, or are not there", async () => {
      const refused = async (path: string, body: object): Promise<number> =>
        (await service.operator.post(path, body)).status;
      expect(await refused(accounts, { name: " " })).to.equal(422);
      expect(await refused(accounts, { name: "x", datasources: ["My-Wiki"] })).to.equal(422);
      expect(await refused(keys, { email: "ada@example.com", expires_at: "2001-01-01" })).to.equal(422);
      expect(await refused(keys, { email: "ada@example.com", expires_at: "soon" })).to.equal(422);
      expect(await refused(keys, { email: "ada@example.com", roles: ["king"] })).to.equal(422);
      expect(await refused(keys, { email: "  " })).to.equal(400);
      expect((await service.operator.delete(`${keys}/nobody`)).status).to.equal(404);
    });

    it("cannot be made with a key, whatever its roles, nor with an account", async () => {
      const key = await service.person("eve@example.com", "auditor", "operator");
      for (const [method, path] of [
        ["GET", accounts],
        ["POST", accounts],
        ["DELETE", `${accounts}/x`],
        ["GET", keys],
        ["POST", keys],
        ["DELETE", `${keys}/x`],
      ] as const) {
        const body = method === "POST" ? { name: "x", email: "eve@example.com", roles: ["auditor"] } : undefined;
        expect((await key.request(method, path, body)).status, `${method} ${path}`).to.equal(403);
        expect((await service.indexing.request(method, path, body)).status, `${method} ${path}`).to.equal(401);
      }
    });
  });

  it("knows no operator but its own", async () => {
    const other = new ApiClient(service.url, mintOperatorCredential());
    expect((await other.get(keys)).status).to.equal(401);
    expect((await other.as("operator").get(keys)).status).to.equal(401);
    const config = testConfig({ DATA_DIR: service.dataDir });
    const beside = await startService(config, createLogger(config));
    expect((await service.operator.at(beside.url).get(keys)).status).to.equal(401);
    await beside.stop();
  });

  describe("events", () => {
    const read = async (query: string): Promise<readonly Record<string, unknown>[]> => {
      const operator = await service.person("olga@example.com", "operator");
      const { body } = await operator.request("GET", `/api/admin/events?${query}`, undefined, {
        headers: { accept: "application/x-ndjson" },
      });
      const text = typeof body === "string" || body === null ? (body ?? "") : JSON.stringify(body);
      return text
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    };

    it("come in the order of the log, by stream, category and position, without hashes of secrets", async () => {
      await service.indexing.post("/api/indexing/datasources", { name: "handbook" });
      const all = await read("");
      const positions = all.map(({ position }) => Number(position));
      expect(positions).to.deep.equal(positions.toSorted((a, b) => a - b));
      expect(JSON.stringify(all)).not.to.include("secretSha256");
      expect((await read("category=datasource")).map(({ stream }) => stream)).to.deep.equal(["datasource-handbook"]);
      expect((await read("stream=datasource-handbook")).map(({ type }) => type)).to.deep.equal([
        "DatasourceRegistered",
      ]);
      expect(await read(`from=${String(all.at(-1)?.["position"])}`)).not.to.be.empty;
      expect(await read("from=999999999")).to.deep.equal([]);
    });

    it("are followed until the client goes away", async () => {
      const leaving = new AbortController();
      const response = await fetch(`${service.url}/api/admin/events?follow=true&category=user`, {
        headers: { authorization: `Bearer ${service.operator.credential ?? ""}` },
        signal: leaving.signal,
      });
      await service.indexing.post("/api/indexing/users", {
        datasource: "handbook",
        user: { email: "ann@example.com" },
      });
      let text = "";
      for await (const chunk of response.body ?? []) {
        text += Buffer.from(chunk as Uint8Array).toString();
        if (text.includes("ann@example.com")) break;
      }
      expect(JSON.parse(text.trim())).to.deep.include({ type: "UserRegistered" });
      leaving.abort();
    });

    it("are refused where there can be none", async () => {
      for (const query of ["stream=people-1", "category=people", "from=x", "follow=perhaps", "to=1"])
        expect((await service.operator.get(`/api/admin/events?${query}`)).status, query).to.equal(422);
      expect((await (await service.person("ada@example.com", "auditor")).get("/api/admin/events")).status).to.equal(
        403,
      );
    });

    it("leave a sign of life while there are none", async () => {
      const lines = linesOf(
        (async function* () {
          await new Promise(() => undefined);
          yield [];
        })(),
        1,
      );
      expect((await lines.next()).value).to.equal("\n");
      expect((await lines.next()).value).to.equal("\n");
    });
  });
});
