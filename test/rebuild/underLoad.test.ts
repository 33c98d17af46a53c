import { expect } from "chai";
import { readModelNames } from "../../src/events/projection.js";
import { tellStoriesTo } from "../model/randomStories.js";
import { describeOnNamedEngines, namedEngines } from "../support/namedEngines.js";
import { newNamespace } from "../support/newNamespace.js";
import { describeOnRedis, sharedRedis } from "../support/redisServer.js";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";
import { Operator } from "./operator.js";

/** Rebuilds, goes back and forth, and drops, while stories are told to the service; every answer has to be the model's. */
function rebuildWhileStoriesAreTold(stories: number, settings: () => NodeJS.ProcessEnv | Promise<NodeJS.ProcessEnv>): void {
  let service: ServiceUnderTest;
  let operator: Operator;

  before(async function () {
    this.timeout(60_000);
    const given = await settings();
    service = await startServiceUnderTest(given);
    operator = await Operator.of({ ...given, DATA_DIR: service.dataDir });
  });

  after(async () => {
    await operator.leave();
    await service.stop();
  });

  it("answers every question of the stories as if nothing were going on", async function () {
    this.timeout(5 * 60_000);
    const told = new AbortController();
    const failedBefore = await failures(service.url);
    const rebuilding = (async () => {
      let swaps = 0;
      while (!told.signal.aborted || swaps < readModelNames.length * 2) {
        for (const name of readModelNames) {
          await operator.rebuild(name);
          if (swaps % 2 === 0) await operator.rollBack(name);
          for (const version of operator.stateOf(name).kept) await operator.drop(name, version);
          swaps++;
        }
      }
    })();
    await Promise.all([tellStoriesTo(service, stories).finally(() => told.abort()), rebuilding]);
    expect(await failures(service.url), "requests that failed").to.deep.equal(failedBefore);
    for (const name of readModelNames) expect(operator.stateOf(name).newest, name).to.be.greaterThan(2);
  });
}

/** Answers of 500 and above so far, as the service counts them: clients of tests ask again where they get a 503. */
async function failures(url: string): Promise<readonly string[]> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return metrics.split("\n").filter((line) => /^enterprise_search_http_request_duration_seconds_count\{.*status="5/.test(line));
}

describe("read models that are rebuilt while people search and write", () => {
  describe("on SQLite", () => rebuildWhileStoriesAreTold(160, () => ({})));

  describeOnRedis("on Redis", () => rebuildWhileStoriesAreTold(80, async () => ({ REDIS_URL: (await sharedRedis()).url, NAMESPACE: newNamespace() })));

  describeOnNamedEngines("on the engines that the environment names", () => rebuildWhileStoriesAreTold(40, () => ({ ...namedEngines, NAMESPACE: newNamespace() })));
});
