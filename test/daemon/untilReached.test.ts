import { expect } from "chai";
import { untilReached, type HasReached } from "../../src/daemon/untilReached.js";
import { toPosition, type Position } from "../../src/shared/position.js";

/** Read models that move on by `step` whenever somebody waits for the end. */
function readModels(step: number): { readonly hasReached: HasReached; readonly at: () => Position } {
  let at = 0n;
  return {
    at: () => toPosition(at),
    hasReached: (position, timeoutMs) => {
      if (timeoutMs > 0) at += BigInt(step);
      return Promise.resolve(at >= position);
    },
  };
}

const head = toPosition(1_000);
const standstillMs = 1;

describe("waiting for read models", () => {
  it("ends when they serve the position, however long they take while they move", async () => {
    const { hasReached, at } = readModels(1);
    await untilReached(head, hasReached, { standstillMs });
    expect(at()).to.equal(head);
  });

  it("ends with a sentence where they stand still, at the beginning or on the way", async () => {
    for (const stopsAt of [0n, 7n, 999n]) {
      const stuck: HasReached = (position) => Promise.resolve(position <= stopsAt);
      const outcome = await untilReached(head, stuck, { standstillMs }).catch((error: Error) => error.message);
      expect(outcome).to.match(/^the read models have not moved for \d+ seconds\. .*\.$/);
    }
  });

  it("ends without one when it is told to", async () => {
    await untilReached(head, () => Promise.resolve(false), { signal: AbortSignal.abort() });
  });
});
