/** How much longer a picture may take than the slowest so far. */
const allowance = 1.5;

/**
 * Gives one item after the other, as long as there is time for one more that takes as long as the slowest so far.
 *
 * @param untilMs When all of it has to be done, by `performance.now()`.
 */
export async function* inTime<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  untilMs: number,
): AsyncGenerator<Item> {
  let slowestMs = 0;
  for await (const item of items) {
    const startedAt = performance.now();
    if (startedAt + slowestMs * allowance > untilMs) return;
    yield item;
    slowestMs = Math.max(slowestMs, performance.now() - startedAt);
  }
}
