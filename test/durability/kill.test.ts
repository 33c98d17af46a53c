import { rm } from "node:fs/promises";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect } from "chai";
import { seededRandom } from "../../bench/corpus.js";
import { Freshness, type ApiClient } from "../support/apiClient.js";
import { createPerson, createServiceAccount, ServerProcess } from "../support/serverProcess.js";
import { newDataDir } from "../support/startService.js";
import { Answered, datasource, datasourceGroup, pushUntilBroken, reader } from "./pushers.js";

const kills = 20;
/** A kill comes once so many requests were answered, at most; the next ones are under way then. */
const latestKill = 40;

interface Clients {
  readonly indexing: ApiClient;
  readonly person: ApiClient;
}

describe("kill -9 in the middle of pushes", () => {
  it(`loses nothing that was answered and doubles nothing, ${kills} times on one folder`, async function () {
    this.timeout(10 * 60_000);
    const seed = Number(process.env["KILL_SEED"] ?? Date.now() & 0x7fffffff);
    const random = seededRandom(seed);
    const dataDir = newDataDir();
    const answered = new Answered();
    let clients = await setUp(dataDir);
    for (let kill = 1; kill <= kills; kill++) {
      const server = await ServerProcess.start(dataDir);
      clients = { indexing: clients.indexing.at(server.url), person: clients.person.at(server.url) };
      const place = `after kill ${kill - 1} (KILL_SEED=${seed})`;
      await expectNewestToBeThere(clients, answered, place);
      const pushing = pushUntilBroken(clients.indexing, answered);
      await Promise.race([answered.more(Math.ceil(random() * latestKill)), pushing]);
      await server.kill();
      await pushing;
    }
    const server = await ServerProcess.start(dataDir);
    await expectEverythingOnce(
      { indexing: clients.indexing.at(server.url), person: clients.person.at(server.url) },
      answered,
    );
    expect(await server.terminate()).to.equal(0);
    expectSoundFiles(dataDir);
    await rm(dataDir, { recursive: true });
  });
});

async function setUp(dataDir: string): Promise<Clients> {
  const server = await ServerProcess.start(dataDir);
  const freshness = new Freshness();
  const indexing = await createServiceAccount(dataDir, server.url, freshness);
  const person = await createPerson(dataDir, server.url, reader, freshness);
  const posts: readonly [string, object][] = [
    ["/datasources", { name: datasource, display_name: "Durable" }],
    ["/users", { datasource, user: { email: reader } }],
    ["/groups", { datasource, group: { name: datasourceGroup } }],
    ["/memberships", { datasource, membership: { group_name: datasourceGroup, member_email: reader } }],
  ];
  for (const [path, body] of posts) expect((await indexing.post(`/api/indexing${path}`, body)).status).to.equal(200);
  await server.kill();
  return { indexing, person };
}

/** The last that was answered is what a crash would lose first. */
async function expectNewestToBeThere({ indexing, person }: Clients, answered: Answered, place: string): Promise<void> {
  for (const id of [...answered.documents].slice(-20)) {
    expect(
      (await person.get(`/api/beta/document/metadata?document_id=${datasource}__${id}`)).status,
      `${id} ${place}`,
    ).to.equal(200);
  }
  for (const email of [...answered.users].slice(-5)) {
    expect(
      (await indexing.post("/api/indexing/users", { datasource, user: { email } })).status,
      `${email} ${place}`,
    ).to.equal(409);
  }
}

async function expectEverythingOnce(clients: Clients, answered: Answered): Promise<void> {
  expect(answered.documents.size, "the kills came while documents were being answered").to.be.greaterThan(kills);
  expect(answered.members.size, "the kills came while memberships were being answered").to.be.greaterThan(0);
  const found = await searchAll(clients.person);
  expect(new Set(found).size, "nothing is doubled").to.equal(found.length);
  expect(
    [...answered.documents].filter((id) => !found.includes(id)),
    "nothing answered is lost",
  ).to.deep.equal([]);
  expect(
    found.filter((id) => !answered.attempted.has(id)),
    "nothing comes from nowhere",
  ).to.deep.equal([]);
  await expectAccess(clients.indexing, answered);
  for (const email of answered.users) {
    expect(
      (await clients.indexing.post("/api/indexing/users", { datasource, user: { email } })).status,
      email,
    ).to.equal(409);
  }
}

/** Every person whose membership was answered may see a document of the group. */
async function expectAccess(indexing: ApiClient, answered: Answered): Promise<void> {
  const [document_id] = answered.restricted;
  for (const user_email of answered.members) {
    const { body } = await indexing.post("/api/indexing/documents/check-access", {
      datasource,
      document_id,
      user_email,
    });
    expect(body).to.deep.equal({ has_access: true, datasource, document_id, user_email });
  }
}

async function searchAll(person: ApiClient): Promise<string[]> {
  const found: string[] = [];
  for (let page = 0; ; page++) {
    const { status, body } = await person.get<{ results: { id: string }[] }>(
      `/api/beta/search?query=survivor&count=100&start_page=${page}`,
    );
    expect(status).to.equal(200);
    if (body.results.length === 0) return found;
    found.push(...body.results.map(({ id }) => id.replace(`${datasource}__`, "")));
  }
}

function expectSoundFiles(dataDir: string): void {
  const files = readdirSync(dataDir).filter((name) => name.endsWith(".sqlite"));
  expect(files).to.include.members(["log.sqlite", "search.sqlite", "readModels.sqlite"]);
  for (const file of files) {
    const database = new Database(join(dataDir, file), { readonly: true });
    expect(database.pragma("integrity_check", { simple: true }), file).to.equal("ok");
    database.close();
  }
}
