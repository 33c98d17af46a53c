import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import { initialState } from "../../commands/projection/versions.js";
import { ToldProjectionFeed } from "../../src/daemon/projectionFeed.js";
import { startProjectorThreads } from "../../src/daemon/projectorThreads.js";
import { ThreadWatch } from "../../src/shared/restartedWorker.js";

describe("the threads of projectors", () => {
  it("are told of changes, and one that dies is started again with what has changed meanwhile", async () => {
    const reports: unknown[] = [];
    const ends: string[] = [];
    const watch = new ThreadWatch((name, { message }) => ends.push(`${name}: ${message}`));
    const feed = new ToldProjectionFeed();
    const running = startProjectorThreads({
      ...{
        entry: new URL("./mortalProjector.js", import.meta.url),
        config: {},
        groups: ["search"],
        feed,
        threads: watch,
      },
      onProjectionError: (report) => reports.push(report),
    });
    const reported = async (live: number): Promise<void> => {
      while (!JSON.stringify(reports).includes(`{"group":"search","live":${live}}`)) await delay(1);
    };
    await reported(0);
    feed.tell("search", { ...initialState(), live: 2 });
    await reported(2);
    feed.tell("search", { ...initialState(), live: 2, paused: true });
    while (watch.away().length === 0) await delay(1);
    expect(ends).to.deep.equal(["search projector: The search projector thread ended with code 7."]);
    feed.tell("search", { ...initialState(), live: 3 });
    await reported(3);
    expect(watch.away()).to.deep.equal([]);
    await running.stop();
    expect(ends).to.have.length(1);
  });
});
