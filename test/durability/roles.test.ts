import { rm } from "node:fs/promises";
import { expect } from "chai";
import { ApiClient, Freshness } from "../support/apiClient.js";
import { createPerson, createServiceAccount, ServerProcess } from "../support/serverProcess.js";
import { newDataDir } from "../support/startService.js";

const datasource = "handbook";
const email = "ada@example.org";

describe("an api process and a projector process on one folder", () => {
  let dataDir: string;
  let api: ServerProcess;
  let projector: ServerProcess;
  let client: ApiClient;
  let person: ApiClient;

  before(async function () {
    this.timeout(60_000);
    dataDir = newDataDir();
    projector = await ServerProcess.start(dataDir, { ROLE: "projector" });
    api = await ServerProcess.start(dataDir, { ROLE: "api", CONSISTENCY_TIMEOUT_MS: "10000" });
    const freshness = new Freshness();
    client = await createServiceAccount(dataDir, api.url, freshness);
    person = await createPerson(dataDir, api.url, email, freshness);
    expect((await client.post("/api/indexing/datasources", { name: datasource })).status).to.equal(200);
    expect((await client.post("/api/indexing/users", { datasource, user: { email } })).status).to.equal(200);
  });

  after(async () => {
    for (const server of [api, projector]) expect(await server.terminate()).to.equal(0);
    await rm(dataDir, { recursive: true });
  });

  const push = async (id: string): Promise<number> => {
    const documents = { datasource, id, title: "Travel expenses", file_type: "page", body: { mime_type: "text/plain", text_content: "text" } };
    return (await client.post("/api/indexing/documents", { documents })).status;
  };
  const found = async (): Promise<{ readonly total: number }> => (await person.get<{ total: number }>("/api/beta/search?query=travel")).body;

  it("what the one takes, the other makes searchable", async () => {
    expect(await push("first")).to.equal(200);
    expect((await found()).total).to.equal(1);
  });

  it("a projector answers for its health, and for nothing else", async () => {
    const asked = new ApiClient(projector.url, null);
    expect((await asked.get("/health/ready")).status).to.equal(200);
    expect((await asked.get("/health/live")).status).to.equal(200);
    expect((await asked.get("/api/beta/search?query=travel")).status).to.equal(404);
    expect((await asked.get("/docs")).status).to.equal(404);
  });

  it("writes are taken while no projector runs, and served when one does again", async () => {
    await projector.kill();
    expect(await push("second")).to.equal(200);
    const before = await new ApiClient(api.url, person.credential).get<{ total: number }>("/api/beta/search?query=travel");
    expect(before.body.total).to.equal(1);
    projector = await ServerProcess.start(dataDir, { ROLE: "projector" });
    expect((await found()).total).to.equal(2);
  });
});
