import { rm } from "node:fs/promises";
import { expect } from "chai";
import { ApiClient, Freshness } from "../support/apiClient.js";
import { describeOnRedis, RedisServer } from "../support/redisServer.js";
import { createPerson, createServiceAccount, ServerProcess } from "../support/serverProcess.js";
import { newDataDir } from "../support/startService.js";

const datasource = "handbook";
const [member, stranger] = ["ada@example.org", "mallory@example.org"];

describeOnRedis("a service with its read models in Redis", () => {
  let dataDir: string;
  let redis: RedisServer;
  let settings: NodeJS.ProcessEnv;
  let api: ServerProcess;
  let projectors: readonly [ServerProcess, ServerProcess];
  let client: ApiClient;
  let people: Readonly<Record<"member" | "stranger", ApiClient>>;

  before(async () => {
    dataDir = newDataDir();
    redis = await RedisServer.start();
    settings = { REDIS_URL: redis.url, CONSISTENCY_TIMEOUT_MS: "10000", LOG_LEVEL: "info" };
    const asProjector = { ...settings, ROLE: "projector" };
    projectors = [await ServerProcess.start(dataDir, asProjector), await ServerProcess.start(dataDir, asProjector)];
    api = await ServerProcess.start(dataDir, { ...settings, ROLE: "api" });
    const freshness = new Freshness();
    client = await createServiceAccount(dataDir, api.url, freshness, settings);
    const person = (email: string): Promise<ApiClient> => createPerson(dataDir, api.url, email, freshness, settings);
    people = { member: await person(member), stranger: await person(stranger) };
    await client.post("/api/indexing/datasources", { name: datasource });
    for (const email of [member, stranger]) await client.post("/api/indexing/users", { datasource, user: { email } });
    await client.post("/api/indexing/groups", { datasource, group: { name: "staff" } });
    await client.post("/api/indexing/memberships", {
      datasource,
      membership: { group_name: "staff", member_email: member },
    });
    await push("first");
  });

  after(async () => {
    for (const server of [api, ...projectors]) await server.terminate();
    await redis.stop();
    await rm(dataDir, { recursive: true });
  });

  const push = async (id: string): Promise<void> => {
    const documents = {
      datasource,
      id,
      title: "Travel",
      file_type: "page",
      body: { mime_type: "text/plain", text_content: "text" },
      permissions: { allowed_groups: ["staff"] },
    };
    expect((await client.post("/api/indexing/documents", { documents })).status).to.equal(200);
  };
  const total = async (person: ApiClient): Promise<number> =>
    (await person.get<{ total: number }>("/api/beta/search?query=travel")).body.total;
  const expectSeen = async (documents: number): Promise<void> => {
    expect(await total(people.member)).to.equal(documents);
    expect(await total(people.stranger)).to.equal(0);
  };

  it("shows each person what the groups give", () => expectSeen(1));

  it("answers 503 or what is right, never anything else, from a flush until it is rebuilt", async () => {
    await redis.command("FLUSHALL");
    const asked = (person: ApiClient): Promise<Response> =>
      fetch(`${api.url}/api/beta/search?query=travel`, { headers: { authorization: `Bearer ${person.credential}` } });
    for (let rebuilt = false; !rebuilt;) {
      const [seen, unseen] = await Promise.all([asked(people.member), asked(people.stranger)]);
      for (const answer of [seen, unseen]) expect(answer.status).to.be.oneOf([200, 503]);
      if (unseen.status === 200) expect(((await unseen.json()) as { total: number }).total).to.equal(0);
      if (seen.status === 503) expect(seen.headers.get("retry-after")).to.match(/^\d+$/);
      else expect(((await seen.json()) as { total: number }).total).to.equal(1);
      rebuilt = seen.status === 200 && unseen.status === 200;
    }
    await expectSeen(1);
  });

  it("goes on where another projector is killed", async () => {
    await push("second");
    await expectSeen(2);
    for (const [index, projector] of projectors.entries()) {
      await projector.kill();
      await client.post("/api/indexing/memberships", {
        datasource,
        membership: { group_name: "staff", member_email: stranger },
      });
      expect(await total(people.stranger)).to.equal(2);
      await client.delete(`/api/indexing/memberships/${datasource}/staff/user/${stranger}`);
      await expectSeen(2);
      if (index === 0)
        projectors = [await ServerProcess.start(dataDir, { ...settings, ROLE: "projector" }), projectors[1]];
    }
  });

  it("is not ready, and refuses to say who may see what, while Redis is down", async () => {
    await redis.kill();
    const asked = new ApiClient(api.url, null);
    const statusOf = async (path: string, credential: string | null): Promise<number> =>
      (await fetch(api.url + path, credential === null ? {} : { headers: { authorization: `Bearer ${credential}` } }))
        .status;
    expect(await statusOf("/health/live", null)).to.equal(200);
    expect(await statusOf("/health/ready", null)).to.equal(503);
    expect(await statusOf("/api/beta/search?query=travel", people.member.credential)).to.equal(503);
    expect(await statusOf("/api/indexing/file-types", client.credential)).to.equal(503);
    await redis.start();
    expect((await asked.get("/health/ready")).status).to.equal(200);
    await expectSeen(2);
  });
});
