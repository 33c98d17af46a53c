import { rm } from "node:fs/promises";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect } from "chai";
import type { ProjectionsAnswer, ProjectionStatus } from "../../src/readModels/projectionStatus.js";
import { CommandLine } from "../cli/commandLine.js";
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

  before(async () => {
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
    const documents = {
      datasource,
      id,
      title: "Travel expenses",
      file_type: "page",
      body: { mime_type: "text/plain", text_content: "text" },
    };
    return (await client.post("/api/indexing/documents", { documents })).status;
  };
  const found = async (): Promise<{ readonly total: number }> =>
    (await person.get<{ total: number }>("/api/beta/search?query=travel")).body;

  it("what the one takes, the other makes searchable", async () => {
    expect(await push("first")).to.equal(200);
    expect((await found()).total).to.equal(1);
  });

  it("a projector answers for its health, and for nothing else", async () => {
    const statuses = { "/health/ready": 200, "/health/live": 200, "/api/beta/search?query=travel": 404, "/docs": 404 };
    for (const [path, status] of Object.entries(statuses)) {
      const answer = await fetch(projector.url + path);
      await answer.text();
      expect(answer.status, path).to.equal(status);
    }
  });

  it("writes are taken while no projector runs, and served when one does again", async () => {
    await projector.kill();
    expect(await push("second")).to.equal(200);
    const before = await new ApiClient(api.url, person.credential).get<{ total: number }>(
      "/api/beta/search?query=travel",
    );
    expect(before.body.total).to.equal(1);
    projector = await ServerProcess.start(dataDir, { ROLE: "projector" });
    expect((await found()).total).to.equal(2);
  });

  it("the one tells what the other could not project", async () => {
    const words = ["api-key", "create", "--email", "olga@example.org", "--role", "operator"];
    const { key } = await CommandLine.onFolderOf({ dataDir }).runForJson<{ key: string }>(...words);
    const log = new Database(join(dataDir, "log.sqlite"));
    log.exec(`INSERT INTO events (position, stream, revision, category, version, id, type, metadata, data)
      SELECT (SELECT max(position) + 1 FROM events), stream, revision + 1, category, 99, 'from-tomorrow', type, metadata, data FROM events
      WHERE position = (SELECT max(position) FROM events WHERE type = 'DocumentIndexed')`);
    log.close();
    const statusOfSearch = async (): Promise<ProjectionStatus | undefined> =>
      (await new ApiClient(api.url, key).get<ProjectionsAnswer>("/api/admin/projections")).body.projections.find(
        ({ name }) => name === "search",
      );
    let status: ProjectionStatus | undefined;
    do status = await statusOfSearch();
    while (status === undefined || status.last_error === null);
    expect(status.parked).to.equal(1);
    expect(status.last_error.message).to.match(/^The event at position \d+ was parked: .*Upgrade the program/);
  });
});
