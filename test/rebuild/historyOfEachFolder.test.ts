import { existsSync, symlinkSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import type { WhoItem } from "../../src/audit/historyQuestions.js";
import { standInFor } from "../../src/daemon/versioned.js";
import { createLogger } from "../../src/logging.js";
import { startService, type RunningService } from "../../src/main.js";
import { beginning } from "../../src/shared/position.js";
import { openReadModels } from "../../src/wiring/readModels.js";
import type { ApiClient } from "../support/apiClient.js";
import { newNamespace } from "../support/newNamespace.js";
import { describeOnRedis, sharedRedis } from "../support/redisServer.js";
import { clientsOf, credentialsBy, newDataDir } from "../support/startService.js";
import { testConfig } from "../support/testConfig.js";
import { Operator } from "./operator.js";

const name = "permissionHistory";

describeOnRedis("permission histories of processes that share a log and a Redis, and no folder", () => {
  const settings: Record<string, string> = {};
  let folders: readonly [string, string];
  let first: RunningService;
  let second: RunningService;
  /** The history of the second folder. */
  let ofSecond: Parameters<typeof standInFor>[0];
  let operator: Operator;
  let auditor: ApiClient;
  let indexing: ApiClient;

  const start = (folder: string): Promise<RunningService> => {
    const config = testConfig({ ...settings, DATA_DIR: folder });
    return startService(config, createLogger(config));
  };

  before(async () => {
    Object.assign(settings, { REDIS_URL: (await sharedRedis()).url, NAMESPACE: newNamespace() });
    folders = [newDataDir(), newDataDir()];
    first = await start(folders[0]);
    symlinkSync(join(folders[0], "log.sqlite"), join(folders[1], "log.sqlite"));
    second = await start(folders[1]);
    const config = testConfig({ ...settings, DATA_DIR: folders[1] });
    ofSecond = openReadModels(config, { logHead: async () => beginning, holds: async () => true }).permissionHistory;
    operator = await Operator.of({ ...settings, DATA_DIR: folders[0] });
    const { person, serviceAccount } = clientsOf(first.url, credentialsBy(operator.commands));
    auditor = await person("eve@example.org", "auditor");
    indexing = await serviceAccount({});
    await indexing.post("/api/indexing/datasources", { name: "wiki" });
    await register("ann");
    await indexing.post("/api/indexing/documents", {
      documents: {
        datasource: "wiki",
        id: "plan",
        title: "Plan",
        file_type: "page",
        body: { mime_type: "text/plain", text_content: "Plan." },
      },
    });
  });

  after(async () => {
    await operator.leave();
    for (const service of [first, second]) await service.stop();
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  });

  const people: string[] = [];
  const register = async (person: string): Promise<void> => {
    people.push(`${person}@example.org`);
    expect(
      (await indexing.post("/api/indexing/users", { datasource: "wiki", user: { email: `${person}@example.org` } }))
        .status,
    ).to.equal(200);
  };
  /** As a process tells it to whoever asks once. */
  const seenBy = async (service: RunningService): Promise<unknown> => {
    const answer = await fetch(`${service.url}/api/audit/who?document=wiki/plan`, {
      headers: { authorization: `Bearer ${auditor.credential}` },
    });
    const body = (await answer.json()) as { readonly items?: readonly WhoItem[] };
    return body.items?.map(({ user_email: email }) => email) ?? body;
  };
  const until = async (condition: () => boolean): Promise<void> => {
    while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  const has = (folder: string, version: number): boolean =>
    existsSync(join(folder, version === 1 ? `${name}.sqlite` : `${name}-${version}.sqlite`));

  it("are both rebuilt, each in its own folder, by one command", async () => {
    for (const service of [first, second]) expect(await seenBy(service)).to.deep.equal(people);
    await operator.rebuild(name);
    await register("bob");
    for (const service of [first, second]) expect(await seenBy(service)).to.deep.equal(people);
    await until(() => folders.every((folder) => has(folder, 2)));
    for (const service of [first, second]) expect(await seenBy(service)).to.deep.equal(people);
  });

  it("go on with what they have, where a version was activated that they do not have, until they do", async () => {
    await second.stop();
    await operator.rebuild(name, { keep: 0 });
    await register("cid");
    expect([3, 1, 2].map((version) => has(folders[1], version))).to.deep.equal([false, true, true]);
    // What stands in is the version that has come furthest here, whether it was dropped meanwhile or not.
    expect(standInFor(ofSecond, operator.stateOf(name))).to.equal(2);
    second = await start(folders[1]);
    expect(await seenBy(second)).to.deep.equal(people);
    await register("dee");
    for (const service of [first, second]) expect(await seenBy(service)).to.deep.equal(people);
    // By itself each process comes to have the version that is served, and frees what is dropped.
    await until(() => folders.every((folder) => has(folder, 3) && !has(folder, 1) && !has(folder, 2)));
    expect(standInFor(ofSecond, operator.stateOf(name))).to.equal(null);
    expect(await seenBy(second)).to.deep.equal(people);
  });
});
