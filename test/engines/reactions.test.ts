import { binaryEvent, EventStoreDBClient, jsonEvent } from "@eventstore/db-client";
import { createHash, randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect } from "chai";
import { StreamNames } from "../../src/adapters/log/eventstoredb/streamNames.js";
import type { ProjectedLog } from "../../src/daemon/ports.js";
import { logEngine } from "../../src/wiring/eventLog.js";
import { readModelNames } from "../../src/events/projection.js";
import { documentStream } from "../../src/events/streams.js";
import { toDocumentId, type DatasourceId } from "../../src/shared/ids.js";
import { beginning } from "../../src/shared/position.js";
import type { ContentKey } from "../../projections/ports.js";
import { Operator } from "../rebuild/operator.js";
import type { ApiClient } from "../support/apiClient.js";
import { describeOnNamedEngines, namedEngines } from "../support/namedEngines.js";
import { newNamespace } from "../support/newNamespace.js";
import { describeOnRedis, sharedRedis } from "../support/redisServer.js";
import { ServerProcess } from "../support/serverProcess.js";
import { clientsOf, credentialsBy, newDataDir } from "../support/startService.js";
import { testConfig } from "../support/testConfig.js";

const documentId = toDocumentId("plan");
const keyOf = (datasourceId: DatasourceId, text: string): ContentKey => {
  const reference = { sha256: createHash("sha256").update(text).digest("hex"), bytes: Buffer.byteLength(text) };
  return { stream: documentStream(datasourceId, documentId), reference };
};

/** Puts a text back that was erased with its datasource, as no command could: whoever erases it again finds it. */
type BringBack = (key: ContentKey, text: string) => Promise<unknown>;

const intoEventStore =
  (url: string, namespace: string): BringBack =>
  async (key, text) => {
    const client = EventStoreDBClient.connectionString(url);
    const names = new StreamNames(namespace);
    const id = randomUUID();
    const begun = jsonEvent({
      id,
      type: names.textBegun,
      data: { chunks: 1, bytes: key.reference.bytes, datasource: "gone" },
    });
    const chunk = binaryEvent({
      type: "TextChunk",
      data: Buffer.from(text),
      metadata: { text: id, chunk: 0, chunks: 1 },
    });
    await client.appendToStream(names.ofText(key), [begun, chunk]);
    await client.dispose();
  };

const intoSqlite =
  (dataDir: string): BringBack =>
  async ({ stream: name, reference }, text) => {
    const database = new Database(join(dataDir, "log.sqlite"));
    const stream = database.prepare("SELECT id FROM streams WHERE name = ?").pluck().get(name);
    database
      .prepare("INSERT INTO contents (stream, sha256, chunk, chunks, position, text) VALUES (?, ?, 0, 1, 1, ?)")
      .run(stream, Buffer.from(reference.sha256, "hex"), text);
    database.close();
  };

function reactsOnce(engines: () => NodeJS.ProcessEnv | Promise<NodeJS.ProcessEnv>): void {
  let settings: NodeJS.ProcessEnv & { readonly DATA_DIR: string };
  let api: ServerProcess;
  let projector: ServerProcess;
  let operator: Operator;
  let log: ProjectedLog;
  let indexing: ApiClient;

  before(async () => {
    settings = { ...(await engines()), CONSISTENCY_TIMEOUT_MS: "30000", DATA_DIR: newDataDir() };
    projector = await ServerProcess.start(settings.DATA_DIR, { ...settings, ROLE: "projector" });
    api = await ServerProcess.start(settings.DATA_DIR, { ...settings, ROLE: "api" });
    operator = await Operator.of(settings);
    log = (await logEngine(testConfig(settings))).openForProjections();
    indexing = await clientsOf(api.url, credentialsBy(operator.commands)).serviceAccount({});
  });

  after(async () => {
    await log.close();
    await operator.leave();
    for (const server of [api, projector]) await server.terminate();
    await rm(settings.DATA_DIR, { recursive: true });
  });

  const index = async (datasource: string, text: string): Promise<void> => {
    const document = {
      datasource,
      id: documentId,
      title: "Plan",
      file_type: "page",
      body: { mime_type: "text/plain", text_content: text },
    };
    expect((await indexing.post("/api/indexing/documents", { documents: document })).status).to.equal(200);
  };
  const register = async (name: string): Promise<DatasourceId> => {
    await indexing.post("/api/indexing/datasources", { name });
    const source = log.source();
    try {
      for await (const { events } of source.subscribe({
        after: beginning,
        categories: ["datasource"],
        maxBatchSize: 1_000,
        signal: AbortSignal.timeout(60_000),
      })) {
        const ids = events.flatMap(({ event }) =>
          event.type === "DatasourceRegistered" && event.data.name === name ? [event.data.datasourceId] : [],
        );
        if (ids[0] !== undefined) return ids[0];
      }
    } finally {
      await source.close();
    }
    throw new Error(`${name} was not registered.`);
  };
  const untilErased = async (key: ContentKey): Promise<void> => {
    while ((await log.contents.read(key)) !== null) await new Promise((resolve) => setTimeout(resolve, 20));
  };

  it("is not done again by rebuilding, going back to, dropping or repairing any read model, nor by another projector", async function () {
    this.timeout(5 * 60_000);
    const gone = await register("gone");
    const lost = keyOf(gone, "a text that was erased");
    await index("gone", "a text that was erased");
    await indexing.delete("/api/indexing/datasources/gone");
    await untilErased(lost);
    const bringBack =
      settings["EVENTSTORE_URL"] === undefined
        ? intoSqlite(settings.DATA_DIR)
        : intoEventStore(settings["EVENTSTORE_URL"], settings["NAMESPACE"] ?? "");
    await bringBack(lost, "a text that was erased");
    for (const name of readModelNames) {
      await operator.rebuild(name);
      await operator.rollBack(name);
      await operator.rebuild(name, { keep: 0 });
      await operator.repair(name, [`datasource ${gone}`, "datasource-gone", `document ${gone}:${documentId}`]);
      if (name !== readModelNames[1]) continue;
      await projector.kill();
      projector = await ServerProcess.start(settings.DATA_DIR, { ...settings, ROLE: "projector" });
    }
    const wiki = await register("wiki");
    await index("wiki", "the first text");
    await index("wiki", "the second text");
    await untilErased(keyOf(wiki, "the first text"));
    expect(await log.contents.read(lost)).to.equal("a text that was erased");
    expect(await log.contents.read(keyOf(wiki, "the second text"))).to.equal("the second text");
  });
}

describe("what is done once, with an api process and a projector", () => {
  describeOnRedis("with Redis", () =>
    reactsOnce(async () => ({ REDIS_URL: (await sharedRedis()).url, NAMESPACE: newNamespace() })),
  );

  describeOnNamedEngines("with the engines that the environment names", () =>
    reactsOnce(() => ({ ...namedEngines, NAMESPACE: newNamespace() })),
  );
});
