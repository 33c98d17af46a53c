import { setTimeout as delay } from "node:timers/promises";

/** How long what tests left running may take to end by itself. */
const graceMs = 10_000;
const lookAgainMs = 20;

let runningBefore: readonly string[] = [];

/**
 * Mocha requires this before the tests. A run (with `--parallel`: a file) fails where its tests leave something running
 * that keeps a process from ending: a server, a thread, a process, a timer.
 */
export const mochaHooks = {
  async beforeAll(): Promise<void> {
    runningBefore = await running();
  },
  async afterAll(this: Mocha.Context): Promise<void> {
    const deadline = performance.now() + graceMs;
    for (;;) {
      const left = without(await running(), runningBefore);
      if (left.length === 0) return;
      if (performance.now() < deadline) continue;
      const files = new Set(this.test?.parent?.suites.map(({ file }) => file));
      throw new Error(`Left running by ${files.size === 1 ? [...files].join() : "the tests"}: ${left.join(", ")}.`);
    }
  },
};

/** The kinds of what keeps this process from ending. After a moment: then mocha's timer of the hook is always one. */
async function running(): Promise<readonly string[]> {
  await delay(lookAgainMs);
  return process.getActiveResourcesInfo();
}

function without(kinds: readonly string[], taken: readonly string[]): string[] {
  const left = [...kinds];
  for (const kind of taken) if (left.includes(kind)) left.splice(left.indexOf(kind), 1);
  return left;
}
