import { rm } from "node:fs/promises";
import { expect } from "chai";
import { Freshness, type ApiAnswer, type ApiClient } from "../support/apiClient.js";
import { createPerson, createServiceAccount, ServerProcess } from "../support/serverProcess.js";
import { newDataDir } from "../support/startService.js";

const datasource = "shared";
const email = "ada@example.org";
const races = 20;

describe("two servers on one folder", () => {
  let dataDir: string;
  let servers: readonly [ServerProcess, ServerProcess];
  let clients: readonly [ApiClient, ApiClient];
  let person: ApiClient;

  before(async () => {
    dataDir = newDataDir();
    // At the same moment, on a folder that is empty: both want to make the files.
    servers = await Promise.all([ServerProcess.start(dataDir), ServerProcess.start(dataDir)]);
    const freshness = new Freshness();
    const first = await createServiceAccount(dataDir, servers[0].url, freshness);
    clients = [first, first.at(servers[1].url)];
    person = await createPerson(dataDir, servers[1].url, email, freshness);
    expect(
      await statuses([first.post("/api/indexing/datasources", { name: datasource, display_name: "Shared" })]),
    ).to.deep.equal([200]);
    expect(await statuses([first.post("/api/indexing/users", { datasource, user: { email } })])).to.deep.equal([200]);
  });

  after(async () => {
    for (const server of servers ?? []) expect(await server.terminate()).to.equal(0);
    await rm(dataDir, { recursive: true });
  });

  it("what one has answered, the other serves to a reader with the consistency token", async () => {
    for (let round = 0; round < 20; round++) {
      const documents = {
        datasource,
        id: `d${round}`,
        title: "Shared word",
        file_type: "page",
        body: { mime_type: "text/plain", text_content: "text" },
      };
      expect(await statuses([clients[0].post("/api/indexing/documents", { documents })])).to.deep.equal([200]);
      const found = await person.get<{ total: number }>("/api/beta/search?query=shared");
      expect(found.body.total).to.equal(round + 1);
    }
  });

  it("a membership revoked on one is revoked on the other", async () => {
    const membership = { group_name: "readers", member_email: email };
    const documents = {
      datasource,
      id: "restricted",
      title: "Restricted",
      file_type: "page",
      body: { mime_type: "text/plain", text_content: "text" },
      permissions: { allowed_groups: ["readers"] },
    };
    await clients[0].post("/api/indexing/groups", { datasource, group: { name: "readers" } });
    await clients[0].post("/api/indexing/documents", { documents });
    const metadata = async (): Promise<number> =>
      (await person.get(`/api/beta/document/metadata?document_id=${datasource}__restricted`)).status;
    for (let round = 0; round < 10; round++) {
      await clients[0].post("/api/indexing/memberships", { datasource, membership });
      expect(await metadata()).to.equal(200);
      await clients[0].delete(`/api/indexing/memberships/${datasource}/readers/user/${email}`);
      expect(await metadata()).to.equal(404);
    }
  });

  it("of clients that race for one name, exactly one wins and the others get 409", async () => {
    for (let race = 0; race < races; race++) {
      const group = { datasource, group: { name: `group${race}` } };
      const user = { datasource, user: { email: `user${race}@example.org` } };
      const source = { name: `raced_r${race}`, display_name: "Raced" };
      expect(await raceOnBoth((client) => client.post("/api/indexing/groups", group))).to.deep.equal([
        200, 409, 409, 409,
      ]);
      expect(await raceOnBoth((client) => client.post("/api/indexing/users", user))).to.deep.equal([
        200, 409, 409, 409,
      ]);
      expect(await raceOnBoth((client) => client.post("/api/indexing/datasources", source))).to.deep.equal([
        200, 409, 409, 409,
      ]);
    }
  });

  it("of clients that close a circle of groups, exactly one is refused", async () => {
    for (let race = 0; race < races; race++) {
      const names = ["x", "y", "z"].map((name) => `${name}${race}`);
      for (const name of names) await clients[0].post("/api/indexing/groups", { datasource, group: { name } });
      const join = (client: ApiClient, from: number): Promise<ApiAnswer> =>
        client.post("/api/indexing/memberships", {
          datasource,
          membership: { group_name: names[from], member_group_name: names[(from + 1) % 3] },
        });
      expect(await statuses([join(clients[0], 0), join(clients[1], 1), join(clients[0], 2)])).to.deep.equal([
        200, 200, 409,
      ]);
    }
  });

  it("of clients that add the same membership, exactly one wins", async () => {
    for (let race = 0; race < races; race++) {
      const name = `team${race}`;
      await clients[0].post("/api/indexing/groups", { datasource, group: { name } });
      const membership = { datasource, membership: { group_name: name, member_email: email } };
      expect(await raceOnBoth((client) => client.post("/api/indexing/memberships", membership))).to.deep.equal([
        200, 409, 409, 409,
      ]);
    }
  });

  const raceOnBoth = (send: (client: ApiClient) => Promise<ApiAnswer>): Promise<number[]> =>
    statuses([0, 1, 0, 1].map((at) => send(clients[at] ?? clients[0])));
});

/** The statuses of requests that were sent at once, in ascending order. */
async function statuses(answers: readonly Promise<ApiAnswer>[]): Promise<number[]> {
  return (await Promise.all(answers)).map(({ status }) => status).toSorted((a, b) => a - b);
}
