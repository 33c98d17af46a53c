import { once } from "node:events";
import { rm } from "node:fs/promises";
import { request, type ClientRequest, type IncomingMessage } from "node:http";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect } from "chai";
import { ApiClient, Freshness } from "../support/apiClient.js";
import { createPerson, createServiceAccount, ServerProcess } from "../support/serverProcess.js";
import { newDataDir } from "../support/startService.js";

const email = "ada@example.org";
const datasource = "terminated";
const requests = 12;

describe("the end of a server", () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = newDataDir();
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  it("comes by SIGTERM: it finishes the requests in flight, keeps what it answered, and exits with 0", async () => {
    const server = await ServerProcess.start(dataDir);
    const freshness = new Freshness();
    const { token, indexing } = await registered(dataDir, server.url, freshness);
    const person = await createPerson(dataDir, server.url, email, freshness);
    const inFlight = await Promise.all(
      Array.from({ length: requests }, (_, index) => openPush(server.url, token, `document${index}`)),
    );
    const ended = server.terminate();
    await refusesNewConnections(server.url);
    const answers = await Promise.all(inFlight.map(({ finish }) => finish()));
    expect(answers.map(({ statusCode }) => statusCode)).to.deep.equal(Array.from({ length: requests }, () => 200));
    for (const { headers } of answers) freshness.note(String(headers["x-consistency-token"]));
    expect(await ended).to.equal(0);

    const again = await ServerProcess.start(dataDir);
    const found = await person.at(again.url).get<{ total: number }>("/api/beta/search?query=survivor");
    expect(found.body.total).to.equal(requests);
    expect((await indexing.at(again.url).get("/api/indexing/datasources")).status).to.equal(200);
    expect(await again.terminate()).to.equal(0);
  });

  it("comes at once where the server is idle, though clients keep their connections open", async () => {
    const server = await ServerProcess.start(dataDir);
    await new ApiClient(server.url, null).get("/health/live");
    expect(await server.terminate()).to.equal(0);
  });
});

describe("a search index of another version", () => {
  it("is rebuilt from the log at the next start, with one line in the log", async () => {
    const dataDir = newDataDir();
    const server = await ServerProcess.start(dataDir);
    const freshness = new Freshness();
    const { indexing } = await registered(dataDir, server.url, freshness);
    const person = await createPerson(dataDir, server.url, email, freshness);
    const document = {
      datasource,
      id: "kept",
      title: "Survivor",
      file_type: "page",
      body: { mime_type: "text/plain", text_content: "Kept." },
    };
    expect((await indexing.post("/api/indexing/documents", { documents: document })).status).to.equal(200);
    expect(await server.terminate()).to.equal(0);
    const index = new Database(join(dataDir, "search.sqlite"));
    index.pragma("user_version = 1");
    index.exec("DELETE FROM terms");
    index.close();

    for (const lines of [1, 0]) {
      const again = await ServerProcess.start(dataDir, { LOG_LEVEL: "warn" });
      expect(
        (await person.at(again.url).get<{ total: number }>("/api/beta/search?query=survivor")).body.total,
      ).to.equal(1);
      expect(await again.terminate()).to.equal(0);
      expect(again.errors().match(/The search index was made by another version/g) ?? []).to.have.length(lines);
    }
    await rm(dataDir, { recursive: true });
  });
});

describe("a data folder of a release without accounts", () => {
  it("is brought up to date at the next start: its credentials are projected afresh", async () => {
    const dataDir = newDataDir();
    const server = await ServerProcess.start(dataDir);
    const freshness = new Freshness();
    const { indexing } = await registered(dataDir, server.url, freshness);
    expect(await server.terminate()).to.equal(0);
    const readModels = new Database(join(dataDir, "readModels.sqlite"));
    for (const table of ["accounts", "account_roles", "sign_ins", "sessions", "credentials"])
      readModels.exec(`DROP TABLE ${table}`);
    readModels.exec(`CREATE TABLE credentials (
      number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, secret_sha256 TEXT NOT NULL, expires_at TEXT,
      created_at TEXT NOT NULL, revoked_at TEXT, name TEXT, datasources TEXT, email TEXT)`);
    readModels.pragma("user_version = 2");
    readModels.close();
    const again = await ServerProcess.start(dataDir);
    expect((await indexing.at(again.url).get("/api/indexing/datasources")).status).to.equal(200);
    expect(await again.terminate()).to.equal(0);
    await rm(dataDir, { recursive: true });
  });
});

async function registered(
  dataDir: string,
  url: string,
  freshness: Freshness,
): Promise<{ token: string; indexing: ApiClient }> {
  const indexing = await createServiceAccount(dataDir, url, freshness);
  await indexing.post("/api/indexing/datasources", { name: datasource, display_name: "Terminated" });
  await indexing.post("/api/indexing/users", { datasource, user: { email } });
  return { token: indexing.credential ?? "", indexing };
}

/** A push whose headers the server has taken (`100 Continue` says so) and whose body it is still waiting for. */
async function openPush(url: string, token: string, id: string): Promise<{ finish(): Promise<IncomingMessage> }> {
  const documents = {
    datasource,
    id,
    title: `Survivor ${id}`,
    file_type: "page",
    body: { mime_type: "text/plain", text_content: "In flight." },
  };
  const body = JSON.stringify({ documents });
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    expect: "100-continue",
  };
  const push: ClientRequest = request(`${url}/api/indexing/documents`, { method: "POST", headers, agent: false });
  push.flushHeaders();
  await once(push, "continue");
  return {
    finish: async () => {
      push.end(body);
      const [answer] = (await once(push, "response")) as [IncomingMessage];
      answer.resume();
      await once(answer, "end");
      return answer;
    },
  };
}

/** Resolves once the server has begun to stop: a new connection is refused. */
async function refusesNewConnections(url: string): Promise<void> {
  for (;;) {
    const refused = await new Promise((resolve) => {
      const knock = request(`${url}/health/live`, { agent: false });
      knock.on("error", () => resolve(true));
      knock.on("response", (answer) => resolve((answer.resume(), false)));
      knock.end();
    });
    if (refused === true) return;
  }
}
