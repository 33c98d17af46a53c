import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import type { UndoAnswer } from "../../src/operations/undo/undo.js";
import { eventsInLog } from "../support/eventsInLog.js";
import { CommandLine } from "../cli/commandLine.js";
import { Freshness, type ApiClient } from "../support/apiClient.js";
import { createPerson, createServiceAccount, ServerProcess } from "../support/serverProcess.js";

const documents = 300;
const kills = 4;
const datasource = "wiki";
const [ada, bob] = ["ada@example.org", "bob@example.org"];

interface Event {
  readonly position: string;
  readonly by: string;
  readonly stream: string;
}

describe("kill -9 while an undo is carried out", () => {
  const idOf = (at: number): string => `d${at}`;
  const pushed = async (client: ApiClient, fields: (at: number) => object): Promise<void> => {
    const sent = Array.from({ length: documents }, (_, at) => ({
      ...{ datasource, id: idOf(at), title: `Plan ${at}`, file_type: "page" },
      body: { mime_type: "text/plain", text_content: `harbour ${at}` },
      ...fields(at),
    }));
    const { status, body } = await client.post<{ message: string }>("/api/indexing/documents", { documents: sent });
    expect([status, body.message]).to.deep.equal([200, `${documents} sent, 0 already indexed, 0 skipped, 0 failed.`]);
  };
  const mayRead = (client: ApiClient, email: string | undefined, at: number): Promise<boolean> =>
    client
      .post<{ has_access: boolean }>("/api/indexing/documents/check-access", {
        ...{ datasource, document_id: idOf(at), user_email: email },
      })
      .then(({ body }) => body.has_access);

  it(`leaves what was begun to be gone on with, ${kills} times, and ends as if nothing had been`, async function () {
    this.timeout(5 * 60_000);
    const cli = await CommandLine.onFreshFolder();
    let server = await ServerProcess.start(cli.dataDir);
    const freshness = new Freshness();
    const good = await createServiceAccount(cli.dataDir, server.url, freshness);
    const bad = await createServiceAccount(cli.dataDir, server.url, freshness);
    await createPerson(cli.dataDir, server.url, bob ?? "");
    expect((await good.post("/api/indexing/datasources", { name: datasource })).status).to.equal(200);
    for (const email of [ada, bob])
      expect((await good.post("/api/indexing/users", { datasource, user: { email } })).status).to.equal(200);
    await pushed(good, () => ({ permissions: { allowed_users: [{ email: ada }] } }));
    await pushed(bad, () => ({ permissions: { allow_anonymous_access: true } }));
    expect(await mayRead(good.at(server.url), bob, 7)).to.equal(true);
    await server.kill();

    const { events } = await cli.runForJson<{ events: readonly Event[] }>("events", "--category", "document");
    const last = events.at(-1);
    const range = ["--from", "1", "--to", last?.position ?? "", "--credential", last?.by ?? ""];
    const written = (): number => eventsInLog(join(cli.dataDir, "log.sqlite"));
    const before = written();
    for (let kill = 0; kill < kills; kill++) {
      const seen = written();
      const undoing = cli.startProcess(["undo", ...range, "--apply"]);
      const over = undoing.ended.then(() => true);
      // Some of it has been written, or all is done.
      while (written() === seen && !(await Promise.race([over, delay(5, false)])));
      undoing.signal("SIGKILL");
      await undoing.ended;
    }
    const done = await cli.runForJson<UndoAnswer>("undo", ...range, "--apply");
    expect(done.steps.filter(({ outcome }) => outcome === "refused")).to.deep.equal([]);
    expect(written(), "each document is indexed as it was, once").to.equal(before + documents);
    expect((await cli.runForJson<UndoAnswer>("undo", ...range)).steps).to.deep.equal([]);

    server = await ServerProcess.start(cli.dataDir);
    for (let at = 0; at < documents; at += 37) {
      const who = [ada, bob].map((email) => mayRead(good.at(server.url), email, at));
      expect(await Promise.all(who), idOf(at)).to.deep.equal([true, false]);
    }
    await server.kill();
    await cli.clear();
  });
});
