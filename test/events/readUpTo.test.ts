import { expect } from "chai";
import { toPosition } from "../../src/shared/position.js";
import type { RecordedEvent } from "../../src/events/domainEvent.js";
import { type EventSource, readUpTo } from "../../src/events/eventSource.js";

type FollowedLog = Pick<EventSource, "subscribe">;

const at = (position: number): RecordedEvent => ({ position: toPosition(position) }) as RecordedEvent;

/** Delivers these batches, each up to a position, then waits for more. */
function logOf(
  ...batches: readonly (readonly [events: readonly number[], position: number])[]
): FollowedLog & { readonly aborted: () => boolean } {
  let asked: AbortSignal | null = null;
  return {
    aborted: () => asked?.aborted === true,
    async *subscribe({ signal }) {
      asked = signal;
      for (const [events, position] of batches)
        yield { events: events.map(at), position: toPosition(position), caughtUp: false };
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    },
  };
}

async function read(
  log: FollowedLog,
  upTo: number,
  signal?: AbortSignal,
): Promise<readonly (readonly [number[], number])[]> {
  const found: (readonly [number[], number])[] = [];
  for await (const { events, position } of readUpTo({
    log,
    after: toPosition(0),
    upTo: toPosition(upTo),
    categories: ["document"],
    maxBatchSize: 10,
    signal,
  })) {
    found.push([events.map((event) => Number(event.position)), Number(position)]);
  }
  return found;
}

describe("a stretch of the log, read to its end", () => {
  it("ends where it was asked to, though the log goes on, and is followed no longer", async () => {
    const log = logOf([[1, 3], 3], [[], 4], [[5, 8, 9], 9]);
    expect(await read(log, 8)).to.deep.equal([
      [[1, 3], 3],
      [[], 4],
      [[5, 8], 8],
    ]);
    expect(log.aborted()).to.equal(true);
  });

  it("is waited for until it is whole", async () => {
    const stopping = new AbortController();
    const reading = read(logOf([[1], 3]), 4, stopping.signal).catch((error: Error) => error.message);
    setImmediate(() => stopping.abort(new Error("enough")));
    expect(await reading).to.equal("enough");
  });

  it("is nothing where there is none, and never ends early in silence", async () => {
    expect(await read(logOf(), 0)).to.deep.equal([]);
    const closed: FollowedLog = {
      async *subscribe() {
        yield { events: [at(1)], position: toPosition(1), caughtUp: false };
      },
    };
    expect(await read(closed, 2).catch((error: Error) => error.message)).to.contain("closed before position 2");
    expect(
      await read(logOf([[1], 3]), 4, AbortSignal.abort(new Error("never"))).catch((error: Error) => error.message),
    ).to.equal("never");
  });
});
