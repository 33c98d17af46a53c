import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import type { ProjectionsAnswer, ProjectionStatus } from "../../src/readModels/projectionStatus.js";
import { CommandLine } from "../cli/commandLine.js";
import { Freshness, type ApiClient } from "../support/apiClient.js";
import { createPerson, createServiceAccount, runCli, ServerProcess } from "../support/serverProcess.js";
import { newDataDir } from "../support/startService.js";

const datasource = "handbook";
const email = "ada@example.org";

describe("rebuilds with an api process, a projector process and the command line on one folder", function () {
  this.timeout(3 * 60_000);
  let dataDir: string;
  let api: ServerProcess;
  let projector: ServerProcess;
  let indexing: ApiClient;
  let person: ApiClient;

  before(async () => {
    dataDir = newDataDir();
    projector = await ServerProcess.start(dataDir, { ROLE: "projector" });
    api = await ServerProcess.start(dataDir, { ROLE: "api" });
    const freshness = new Freshness();
    indexing = await createServiceAccount(dataDir, api.url, freshness);
    person = await createPerson(dataDir, api.url, email, freshness);
    await indexing.post("/api/indexing/datasources", { name: datasource });
    await indexing.post("/api/indexing/users", { datasource, user: { email } });
    await push("first");
  });

  after(async () => {
    for (const server of [api, projector]) await server.terminate();
    await rm(dataDir, { recursive: true });
  });

  const push = async (id: string): Promise<void> => {
    const documents = {
      datasource,
      id,
      title: "Travel",
      file_type: "page",
      body: { mime_type: "text/plain", text_content: "receipts" },
    };
    expect((await indexing.post("/api/indexing/documents", { documents })).status).to.equal(200);
  };
  const total = async (): Promise<number> =>
    (await person.get<{ total: number }>("/api/beta/search?query=travel")).body.total;
  /** As whoever asks without a token sees it. */
  const totalByNow = async (): Promise<number> => {
    const answer = await fetch(`${api.url}/api/beta/search?query=travel`, {
      headers: { authorization: `Bearer ${person.credential}` },
    });
    return ((await answer.json()) as { total: number }).total;
  };
  const run = (...words: readonly string[]): Promise<ProjectionStatus> =>
    CommandLine.onFolderOf({ dataDir }).runForJson<ProjectionStatus>("projections", ...words);
  const hasFile = (name: string): boolean => existsSync(join(dataDir, name));

  it("both go over to the version that the command line has asked for, and go on with it", async () => {
    const words = ["projections", "rebuild", "search", "--verify"];
    expect(await runCli<ProjectionStatus>(dataDir, words)).to.deep.include({
      name: "search",
      version: 2,
      under_way: null,
    });
    expect(await total()).to.equal(1);
    await push("second");
    expect(await total()).to.equal(2);
    expect(hasFile("search-2.sqlite")).to.equal(true);
  });

  it("both go back, to a version that has caught up with what came meanwhile", async () => {
    expect(await run("rollback", "search")).to.deep.include({ version: 1 });
    expect(await total()).to.equal(2);
    await push("third");
    expect(await total()).to.equal(3);
  });

  it("a version that is dropped takes no room any more, and what is served goes on", async () => {
    expect(await run("drop", "search", "2")).to.deep.include({ version: 1, kept: [] });
    expect(hasFile("search-2.sqlite")).to.equal(false);
    expect(await total()).to.equal(3);
  });

  it("who may see what moves to a file of its own, and back", async () => {
    expect((await run("rebuild", "groupClosure", "--verify")).version).to.equal(2);
    await indexing.post("/api/indexing/groups", { datasource, group: { name: "staff" } });
    expect(await total()).to.equal(3);
    expect((await run("rollback", "groupClosure")).version).to.equal(1);
    expect(await total()).to.equal(3);
  });

  it("a paused projection stands still, which its status says, and goes on where it stood", async () => {
    expect((await run("pause", "search")).state).to.equal("paused");
    await push("fourth");
    const { projections } = await CommandLine.onFolderOf({ dataDir }).runForJson<ProjectionsAnswer>(
      "projections",
      "status",
    );
    expect(projections.find(({ name }) => name === "search")).to.deep.nested.include({
      state: "paused",
      "lag.events": 1,
    });
    expect(await totalByNow()).to.equal(3);
    expect((await run("resume", "search")).state).to.equal("running");
    expect(await total()).to.equal(4);
  });

  it("auditors go on to ask the api process while the projector goes over to another history", async () => {
    const words = ["api-key", "create", "--email", "eve@example.org", "--role", "auditor"];
    const { key } = await CommandLine.onFolderOf({ dataDir }).runForJson<{ readonly key: string }>(...words);
    const whatSees = async (): Promise<number | undefined> =>
      (await person.as(key).get<{ readonly total?: number }>(`/api/audit/what?user=${email}`)).body.total;
    while ((await whatSees()) === undefined) await new Promise((resolve) => setTimeout(resolve, 20));
    const before = await whatSees();
    const rebuilt = run("rebuild", "permissionHistory", "--verify", "--keep", "0");
    const answers = new Set<number | undefined>();
    const asking = (async () => {
      while (!hasFile("permissionHistory-2.sqlite") || hasFile("permissionHistory.sqlite"))
        answers.add(await whatSees());
    })();
    expect((await rebuilt).version).to.equal(2);
    await asking;
    expect(answers).to.deep.equal(new Set([before]));
    await push("last");
    expect(await whatSees()).to.equal((before ?? 0) + 1);
  });
});
