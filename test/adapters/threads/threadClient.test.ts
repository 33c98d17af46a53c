import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import { ThreadClient } from "../../../src/adapters/threads/threadClient.js";
import { ThreadEnded, ThreadWatch } from "../../../src/shared/restartedWorker.js";

const entry = new URL("./mortalThread.js", import.meta.url);

describe("a thread that answers calls", () => {
  const ends: string[] = [];
  let threads: ThreadWatch;
  let thread: ThreadClient;
  beforeEach(() => {
    ends.length = 0;
    threads = new ThreadWatch((name, { message }) => ends.push(`${name}: ${message}`));
    thread = new ThreadClient(entry, { name: "mortal" }, threads);
  });
  afterEach(() => thread.close());

  const reasonOf = (call: Promise<unknown>): Promise<unknown> =>
    call.then(
      () => null,
      (reason: unknown) => reason,
    );

  for (const [method, why] of [
    ["die", "The mortal thread ended with code 7."],
    ["throwLater", "Nobody catches this."],
  ] as const) {
    it(`is started again when it ends (${method}), and says what it did not answer`, async () => {
      expect(await thread.call("echo", 1)).to.equal(1);
      for (const times of [1, 2]) {
        const lost = await Promise.all([reasonOf(thread.call(method, null)), reasonOf(thread.call("throwLater", 2))]);
        for (const reason of lost) expect(reason).to.be.instanceOf(ThreadEnded);
        expect(ends).to.deep.equal(Array.from({ length: times }, () => `mortal: ${why}`));
        expect(threads.away()).to.have.length(1);
        expect(await reasonOf(thread.call("echo", 3))).to.be.instanceOf(ThreadEnded);
        while (threads.away().length > 0) await delay(1);
        expect(await thread.call("echo", 4)).to.equal(4);
      }
    });
  }

  it("stays ended once it is closed, and is missed by nobody", async () => {
    await reasonOf(thread.call("die", null));
    await thread.close();
    expect(threads.away()).to.deep.equal([]);
    expect(await reasonOf(thread.call("echo", 1))).to.be.instanceOf(ThreadEnded);
  });
});
