import { expect } from "chai";
import { untilReached } from "../../src/daemon/followProjections.js";
import { toPosition } from "../../src/shared/position.js";

describe("waiting for read models", () => {
  it("ends when they serve the position, however often one has to wait for it", async () => {
    let waits = 0;
    const never = new AbortController().signal;
    await untilReached(toPosition(1_000), async (position) => ++waits * 400 >= position, never);
    expect(waits).to.equal(3);
  });

  it("ends without one when it is told to", async () => {
    await untilReached(toPosition(1_000), () => Promise.resolve(false), AbortSignal.abort());
  });
});
