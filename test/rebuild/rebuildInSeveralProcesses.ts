import { rm } from "node:fs/promises";
import { expect } from "chai";
import { readModelNames, type ReadModelName } from "../../src/events/projection.js";
import { tellStoriesTo } from "../model/randomStories.js";
import { failures } from "../support/failures.js";
import { ServerProcess } from "../support/serverProcess.js";
import { clientsOf, credentialsBy, newDataDir } from "../support/startService.js";
import { Operator } from "./operator.js";

/** What each process of a service is started with: two that answer requests, two that project. */
interface Processes {
  readonly apis: readonly [ServerProcess, ServerProcess];
  readonly projectors: [ServerProcess, ServerProcess];
}

export interface Rebuilding {
  readonly stories: number;
  /** The process that builds these is killed while it does. */
  readonly killed: readonly ReadModelName[];
  /** Whether processes need a folder in common: only then is anything in it. */
  readonly sharesFolder: boolean;
}

const buildsVersion = /builds a version/g;
const served = (name: ReadModelName, version: number): RegExp =>
  new RegExp(`"projection":"${name}","version":${version},[^\\n]*is served now`);

/**
 * Stories are told to one api process and asked about at another, while every read model is rebuilt and whoever does
 * that is killed.
 */
export function rebuildInSeveralProcesses(
  { stories, killed, sharesFolder }: Rebuilding,
  engines: () => NodeJS.ProcessEnv | Promise<NodeJS.ProcessEnv>,
): void {
  const folders: string[] = [];
  let settings: NodeJS.ProcessEnv;
  let processes: Processes;
  let operator: Operator;

  const folder = (): string => {
    if (folders.length === 0 || !sharesFolder) folders.push(newDataDir());
    return folders.at(-1) ?? "";
  };
  const start = (role: "api" | "projector"): Promise<ServerProcess> =>
    ServerProcess.start(folder(), { ...settings, ROLE: role });

  before(async () => {
    settings = { ...(await engines()), CONSISTENCY_TIMEOUT_MS: "60000", LOG_LEVEL: "info" };
    const projectors: Processes["projectors"] = [await start("projector"), await start("projector")];
    processes = { projectors, apis: await Promise.all([start("api"), start("api")]) };
    operator = await Operator.of({ ...settings, LOG_LEVEL: "fatal", DATA_DIR: folder() });
  });

  after(async () => {
    await operator.leave();
    for (const server of [...processes.apis, ...processes.projectors]) await server.terminate();
    for (const path of folders) await rm(path, { recursive: true });
  });

  /**
   * Kills the process that has begun to build what is under way, so that another one has to, and starts one in its
   * place.
   */
  const killWhoeverBringsUp = async (name: ReadModelName): Promise<void> => {
    const { projectors } = processes;
    const begun = projectors.map((server) => countOf(buildsVersion, server));
    const index = await Promise.race(
      projectors.map(async (server, place) => {
        await server.logged((text) => countIn(buildsVersion, text) > (begun[place] ?? 0));
        return place;
      }),
    );
    await projectors[index]?.kill();
    expect(operator.stateOf(name).underWay, "what is under way still").not.to.equal(null);
    projectors[index] = await start("projector");
  };

  it("answers every question of the stories, in every process, as if nothing were going on", async function () {
    this.timeout(10 * 60_000);
    const [writing, asking] = processes.apis;
    const { person, serviceAccount } = clientsOf(asking.url, credentialsBy(operator.commands));
    const told = new AbortController();
    const failedBefore = await Promise.all(processes.apis.map((api) => failures(api.url)));
    const telling = tellStoriesTo({ indexing: (await serviceAccount({})).at(writing.url), person }, stories).finally(
      () => told.abort(),
    );
    const rebuilding = (async () => {
      for (const name of readModelNames) {
        const kill = killed.includes(name) ? killWhoeverBringsUp(name) : Promise.resolve();
        await operator.rebuild(name);
        await kill;
        const { live } = operator.stateOf(name);
        await Promise.all(processes.apis.map((api) => api.logged(served(name, live))));
      }
      // And without kills, to and fro, for as long as there are stories.
      while (!told.signal.aborted) for (const name of readModelNames) await operator.rebuild(name, { keep: 0 });
    })();
    await Promise.all([telling, rebuilding]);
    expect(await Promise.all(processes.apis.map((api) => failures(api.url))), "requests that failed").to.deep.equal(
      failedBefore,
    );
  });
}

const countIn = (pattern: RegExp, text: string): number => text.match(pattern)?.length ?? 0;
const countOf = (pattern: RegExp, server: ServerProcess): number => countIn(pattern, server.errors());
