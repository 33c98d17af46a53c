import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { seededRandom } from "../../bench/corpus.js";
import { startGroup, type RunningProjections } from "../../src/daemon/projectGroup.js";
import type { ReadModelName } from "../../src/events/projection.js";
import { createLogger } from "../../src/logging.js";
import { startService } from "../../src/main.js";
import { openProjecting } from "../../src/wiring/projecting.js";
import { openWriteSide, type WriteSide } from "../../src/wiring/writeSide.js";
import { beginning } from "../../src/shared/position.js";
import { toDatasourceName, toDocumentId, toEmail } from "../../src/shared/ids.js";
import { newDataDir } from "../support/startService.js";
import { testConfig } from "../support/testConfig.js";
import { Operator } from "./operator.js";

/** Bundled, so that it is there soon. */
const child = fileURLToPath(new URL("../bundle/rebuildingProcess.js", import.meta.url));
const context = { by: "operator", correlationId: "test", allowedDatasources: null } as const;
const datasource = toDatasourceName("handbook");
const documents = 400;
const people = 150;

export type Kills = readonly (readonly [ReadModelName, number])[];

export interface KillTimes {
  /** Kills come so many milliseconds after the process has begun, by chance: in all phases, early ones more often. */
  readonly latestMs: number;
  /**
   * How long the lease of a killed process holds. Servers of other processes are given longer for a request than files.
   */
  readonly leaseMs: number;
}
export const ofFiles: KillTimes = { latestMs: 500, leaseMs: 200 };
export const ofServers: KillTimes = { latestMs: 2_000, leaseMs: 1_500 };

/** Rebuilds each of these read models in processes that are killed so many times. */
export function killRebuilds(
  kills: Kills,
  { latestMs, leaseMs }: KillTimes,
  engines: () => NodeJS.ProcessEnv | Promise<NodeJS.ProcessEnv>,
): void {
  for (const [name, times] of kills) {
    it(`goes on where it was, and ends with what the log says, killed ${times} times while it rebuilds ${name}`, async function () {
      this.timeout(15 * 60_000);
      const seed = Number(process.env["KILL_SEED"] ?? Date.now() & 0x7fffffff);
      const random = seededRandom(seed);
      const settings = { ...(await engines()), DATA_DIR: newDataDir() };
      await fill(settings);
      const operator = await Operator.of(settings);
      const live = await projectLive(settings, operator);
      const failing = (error: unknown): void => expect.fail(`${String(error)} (KILL_SEED=${seed})`);
      let { rebuilt } = await begin(operator, name, failing);
      const processes = new Standbys(() =>
        fork(child, [JSON.stringify(settings), name, String(leaseMs)], { execArgv: [] }),
      );
      for (let kill = 0, reached = beginning; kill < times;) {
        await runAndKill(processes.start(), random() ** 2 * latestMs);
        const position = await operator.positionUnderWay(name);
        if (position === null) {
          // It was over before it could be killed: the next one is killed as often as is left.
          await rebuilt;
          ({ rebuilt } = await begin(operator, name, failing));
          reached = beginning;
          continue;
        }
        expect(position >= reached, `at ${position} of what was at ${reached} already (KILL_SEED=${seed})`).to.equal(
          true,
        );
        [kill, reached] = [kill + 1, position];
      }
      // It may see the end, and exit, before the operator sees it.
      await Promise.all([once(processes.startLast(), "exit"), rebuilt]);
      const { live: version, newest, kept, underWay } = operator.stateOf(name);
      expect({ version, kept, underWay }, `KILL_SEED=${seed}`).to.deep.equal({
        version: newest,
        kept: [newest - 1],
        underWay: null,
      });
      await live.stop();
      await operator.leave();
      await rm(settings.DATA_DIR, { recursive: true });
    });
  }
}

/** Under way when it resolves: a process that was killed before would leave nobody to bring it up. */
async function begin(
  operator: Operator,
  name: ReadModelName,
  failing: (error: unknown) => void,
): Promise<{ readonly rebuilt: Promise<unknown> }> {
  const { newest } = operator.stateOf(name);
  const rebuilt = operator.rebuild(name).catch(failing);
  await operator.until(name, (state) => state.newest !== newest);
  return { rebuilt };
}

/** The version that is served is kept up to date meanwhile. */
async function projectLive(settings: NodeJS.ProcessEnv, { feed }: Operator): Promise<RunningProjections> {
  const config = testConfig(settings);
  const { readModels, ...projecting } = await openProjecting(config);
  const logger = createLogger(config);
  const names = [...new Set(readModels.all.map(({ group }) => group))];
  const groups = await Promise.all(
    names.map((name) =>
      startGroup(
        name,
        readModels.all.filter(({ group }) => group === name),
        { ...projecting, feed, logger },
      ),
    ),
  );
  return {
    stop: async () => {
      for (const group of groups) await group.stop();
      await projecting.close();
    },
  };
}

/** Processes that begin at a word. While one works, the next one is loading what it needs. */
class Standbys {
  private next: ChildProcess;

  constructor(private readonly spawn: () => ChildProcess) {
    this.next = spawn();
  }

  start(): ChildProcess {
    const started = this.startLast();
    this.next = this.spawn();
    return started;
  }

  startLast(): ChildProcess {
    this.next.send("go");
    return this.next;
  }
}

async function runAndKill(running: ChildProcess, afterMs: number): Promise<void> {
  const ended = once(running, "exit");
  await Promise.race([once(running, "message"), ended]);
  await Promise.race([new Promise((resolve) => setTimeout(resolve, afterMs)), ended]);
  running.kill("SIGKILL");
  await ended;
}

/** A log with documents and nested groups, all of it projected. */
async function fill(settings: NodeJS.ProcessEnv): Promise<void> {
  const config = testConfig(settings);
  const logger = createLogger(config);
  const service = await startService(config, logger);
  const { commands, close } = await openWriteSide(config);
  await commands.registerDatasource(
    { name: datasource, displayName: null, icon: null, subs: [], objectDefinitions: [] },
    context,
  );
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

type Commands = WriteSide["commands"];

async function addPerson(commands: Commands, person: number): Promise<void> {
  const email = toEmail(`person${person}@example.org`);
  await commands.registerUser({ datasource, email, name: null }, context);
  const group = ["a", "b", "c"][person % 3] ?? "a";
  await commands.addMembership({ datasource, group, member: { kind: "user", email } }, context);
  if (person % 5 === 0)
    await commands.removeMembership({ datasource, group, member: { kind: "user", email } }, context);
}

const documentOf = (index: number): Parameters<Commands["indexDocuments"]>[0][number] => ({
  datasource,
  documentId: toDocumentId(`d${index % (documents - 40)}`),
  title: `Travel ${index}`,
  body: {
    kind: "text",
    text: `Receipts of journey ${index} are handed in within ${index} weeks. `.repeat(20),
    mimeType: "text/plain",
    size: 1_000,
  },
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
