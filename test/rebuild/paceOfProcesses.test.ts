import { rm } from "node:fs/promises";
import { expect } from "chai";
import type { ProjectionStatus } from "../../src/readModels/projectionStatus.js";
import { Freshness } from "../support/apiClient.js";
import { describeOnRedis, RedisServer } from "../support/redisServer.js";
import { createPerson, createServiceAccount, runCli, ServerProcess } from "../support/serverProcess.js";
import { newDataDir } from "../support/startService.js";

const datasource = "handbook";
const email = "ada@example.org";

describeOnRedis(
  "a rebuild in one process, for people whom another one answers, on Redis",
  function (this: Mocha.Suite) {
    this.timeout(3 * 60_000);

    it("rests while their answers are late, no more once they are not, and finishes", async () => {
      const redis = await RedisServer.start();
      const dataDir = newDataDir();
      const settings = { REDIS_URL: redis.url };
      const projector = await ServerProcess.start(dataDir, { ...settings, ROLE: "projector", LOG_LEVEL: "info" });
      const api = await ServerProcess.start(dataDir, { ...settings, ROLE: "api", CONSISTENCY_TIMEOUT_MS: "10000" });
      const freshness = new Freshness();
      const indexing = await createServiceAccount(dataDir, api.url, freshness, settings);
      const person = await createPerson(dataDir, api.url, email, freshness, settings);
      await indexing.post("/api/indexing/datasources", { name: datasource });
      await indexing.post("/api/indexing/users", { datasource, user: { email } });
      const push = (id: string) =>
        indexing.post("/api/indexing/documents", {
          documents: {
            datasource,
            id,
            title: "Travel",
            file_type: "page",
            body: { mime_type: "text/plain", text_content: "receipts" },
          },
        });
      await push("first");
      const run = (...words: readonly string[]) =>
        runCli<ProjectionStatus>(dataDir, ["projections", ...words], settings);
      const search = () => person.get<{ total: number }>("/api/beta/search?query=travel");
      expect((await search()).body.total).to.equal(1);

      // What is served stands still: a rebuild that is to be compared with it is under way until it goes on, and so is
      // the search.
      await run("pause", "search");
      await push("second");
      const rebuilt = run("rebuild", "search");
      const answered = search();
      await projector.logged(/Rebuilds rest for people whom other processes answer/);
      await run("resume", "search");
      expect((await answered).body.total).to.equal(2);
      expect(await rebuilt).to.deep.include({ name: "search", version: 2, under_way: null });
      await projector.logged(/Rebuilds need not rest any more/);
      expect((await search()).body.total).to.equal(2);

      for (const server of [api, projector]) await server.terminate();
      await redis.stop();
      await rm(dataDir, { recursive: true });
    });
  },
);
