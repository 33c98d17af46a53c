import { expect } from "chai";
import { readModelNames } from "../../src/events/projection.js";
import { tellStoriesTo } from "../model/randomStories.js";
import { failures } from "../support/failures.js";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";
import { Operator } from "./operator.js";

/**
 * Rebuilds, goes back and forth, and drops, while stories are told to the service; every answer has to be the model's.
 */
export function rebuildWhileStoriesAreTold(
  stories: number,
  settings: () => NodeJS.ProcessEnv | Promise<NodeJS.ProcessEnv>,
): void {
  let service: ServiceUnderTest;
  let operator: Operator;

  before(async () => {
    const given = await settings();
    service = await startServiceUnderTest(given);
    // On a server with much of other tenants it takes a while, and no failure of that time counts.
    await service.ready;
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
