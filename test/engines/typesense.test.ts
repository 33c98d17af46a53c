import { rm } from "node:fs/promises";
import { expect } from "chai";
import { Freshness, type ApiClient } from "../support/apiClient.js";
import { newNamespace } from "../support/newNamespace.js";
import { createPerson, createServiceAccount, ServerProcess } from "../support/serverProcess.js";
import { newDataDir } from "../support/startService.js";
import { TypesenseDouble } from "../support/typesense/typesenseDouble.js";

const datasource = "handbook";
const email = "ada@example.org";
const projects = /This process projects now/;

describe("a service with its search collection in Typesense and no Redis", () => {
  let dataDir: string;
  let double: TypesenseDouble;
  let settings: NodeJS.ProcessEnv;
  let api: ServerProcess;
  let active: ServerProcess;
  let standby: ServerProcess;
  let client: ApiClient;
  let person: ApiClient;

  const startProjector = (): Promise<ServerProcess> => ServerProcess.start(dataDir, { ...settings, ROLE: "projector" });

  before(async () => {
    dataDir = newDataDir();
    double = await TypesenseDouble.start();
    const engine = { TYPESENSE_URL: double.url, TYPESENSE_API_KEY: double.apiKey, NAMESPACE: newNamespace() };
    settings = { ...engine, CONSISTENCY_TIMEOUT_MS: "10000", LOG_LEVEL: "info" };
    active = await startProjector();
    await active.logged(projects);
    standby = await startProjector();
    api = await ServerProcess.start(dataDir, { ...settings, ROLE: "api" });
    const freshness = new Freshness();
    client = await createServiceAccount(dataDir, api.url, freshness, settings);
    person = await createPerson(dataDir, api.url, email, freshness, settings);
    await client.post("/api/indexing/datasources", { name: datasource });
    await client.post("/api/indexing/users", { datasource, user: { email } });
  });

  after(async () => {
    for (const server of [api, active, standby]) await server.terminate();
    await double.stop();
    await rm(dataDir, { recursive: true });
  });

  /** Within ten seconds: no read waits longer for what was pushed. */
  const expectPushedAndFound = async (id: string, documents: number): Promise<void> => {
    const document = {
      datasource,
      id,
      title: "Travel",
      file_type: "page",
      body: { mime_type: "text/plain", text_content: "text" },
    };
    expect((await client.post("/api/indexing/documents", { documents: document })).status).to.equal(200);
    expect((await person.get<{ total: number }>("/api/beta/search?query=travel")).body.total).to.equal(documents);
  };

  it("projects in one process while another one stands by", async () => {
    await expectPushedAndFound("first", 1);
    expect(standby.errors()).not.to.match(projects);
  });

  it("goes on in the standby when the other one is killed", async () => {
    await active.kill();
    await expectPushedAndFound("second", 2);
    expect(standby.errors()).to.match(projects);
    [active, standby] = [standby, await startProjector()];
  });

  it("goes on in the standby when the other one stands still, which projects no more when it wakes up", async () => {
    active.pause();
    await expectPushedAndFound("third", 3);
    expect(standby.errors()).to.match(projects);
    active.resume();
    await active.logged(/This process does not project any more/);
    await expectPushedAndFound("fourth", 4);
  });

  it("goes on at once where the other one is asked to end", async () => {
    await standby.terminate();
    await expectPushedAndFound("fifth", 5);
  });
});
