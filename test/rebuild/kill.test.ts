import { fork } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { seededRandom } from "../../bench/corpus.js";
import { startProjectors, type RunningProjectors } from "../../src/composition/projectors.js";
import type { ReadModelName } from "../../src/events/projection.js";
import { createLogger } from "../../src/logging.js";
import { openOffline, startService } from "../../src/main.js";
import { toDatasourceName, toDocumentId, toEmail } from "../../src/shared/ids.js";
import { newDataDir, testConfig } from "../support/startService.js";
import { Operator } from "./operator.js";

const child = fileURLToPath(new URL("./rebuildingProcess.js", import.meta.url));
const context = { by: "operator", correlationId: "test", allowedDatasources: null } as const;
const datasource = toDatasourceName("handbook");
const documents = 400;
const people = 150;

/** Kills come this many milliseconds after the process has begun: in all phases, early ones more often. */
const latestKillMs = 900;
const kills: readonly (readonly [ReadModelName, number])[] = [["search", 34], ["groupClosure", 16]];

describe("kill -9 in the middle of a rebuild", () => {
  for (const [name, times] of kills) {
    it(`goes on where it was, and ends with what the log says, killed ${times} times while it rebuilds ${name}`, async function () {
      this.timeout(15 * 60_000);
      const seed = Number(process.env["KILL_SEED"] ?? Date.now() & 0x7fffffff);
      const random = seededRandom(seed);
      const dataDir = newDataDir();
      await fill(dataDir);
      const operator = await Operator.of({ DATA_DIR: dataDir });
      const live = await projectLive(dataDir, operator);
      const rebuilt = operator.rebuild(name);
      for (let kill = 0; kill < times && operator.stateOf(name).live === 1; kill++) await runAndKill(dataDir, name, random() ** 2 * latestKillMs);
      const last = fork(child, [dataDir, name]);
      await rebuilt.catch((error: unknown) => expect.fail(`${String(error)} (KILL_SEED=${seed})`));
      await once(last, "exit");
      expect(operator.stateOf(name), `KILL_SEED=${seed}`).to.deep.include({ live: 2, kept: [1], underWay: null });
      for (const projectors of live) await projectors.stop();
      await operator.leave();
      await rm(dataDir, { recursive: true });
    });
  }
});

/** The version that is served is kept up to date meanwhile. */
function projectLive(dataDir: string, { feed }: Operator): Promise<readonly RunningProjectors[]> {
  const config = testConfig({ DATA_DIR: dataDir });
  const logger = createLogger(config);
  return Promise.all((["search", "readModels"] as const).map((group) => startProjectors(group, config, { feed, logger })));
}

async function runAndKill(dataDir: string, name: ReadModelName, afterMs: number): Promise<void> {
  const running = fork(child, [dataDir, name]);
  const ended = once(running, "exit");
  await Promise.race([once(running, "message"), ended]);
  await Promise.race([new Promise((resolve) => setTimeout(resolve, afterMs)), ended]);
  running.kill("SIGKILL");
  await ended;
}

/** A log with documents and nested groups, all of it projected. */
async function fill(dataDir: string): Promise<void> {
  const config = testConfig({ DATA_DIR: dataDir });
  const logger = createLogger(config);
  const service = await startService(config, logger);
  const { commands, close } = await openOffline(config, logger);
  await commands.registerDatasource({ name: datasource, displayName: null, icon: null, subs: [], objectDefinitions: [] }, context);
  for (const group of ["a", "b", "c"]) await commands.createGroup({ datasource, name: group }, context);
  await commands.addMembership({ datasource, group: "a", member: { kind: "group", name: "b" } }, context);
  await Promise.all(Array.from({ length: people }, (_, person) => addPerson(commands, person)));
  const contents = Array.from({ length: documents }, (_, index) => documentOf(index));
  await commands.indexDocuments(contents, context);
  await close();
  await service.stop();
  const filled = await startService(config, logger);
  await filled.ready;
  await filled.stop();
}

type Commands = Awaited<ReturnType<typeof openOffline>>["commands"];

async function addPerson(commands: Commands, person: number): Promise<void> {
  const email = toEmail(`person${person}@example.org`);
  await commands.registerUser({ datasource, email, name: null }, context);
  const group = ["a", "b", "c"][person % 3] ?? "a";
  await commands.addMembership({ datasource, group, member: { kind: "user", email } }, context);
  if (person % 5 === 0) await commands.removeMembership({ datasource, group, member: { kind: "user", email } }, context);
}

const documentOf = (index: number): Parameters<Commands["indexDocuments"]>[0][number] => ({
  datasource,
  documentId: toDocumentId(`d${index % (documents - 40)}`),
  title: `Travel ${index}`,
  body: { kind: "text", text: `Receipts of journey ${index} are handed in within ${index} weeks. `.repeat(20), mimeType: "text/plain", size: 1_000 },
  fileType: "page",
  pathPreview: null,
  path: null,
  author: null,
  lastModified: null,
  sub: null,
  childSub: null,
  access: { anonymous: index % 4 === 0, users: [], groups: [["a", "b", "c"][index % 3] ?? "a"] },
  customProperties: [],
});
