import type { EventSource } from "../../projections/ports.js";
import type { LogClock } from "../../queries/audit/ports.js";
import { streamCategories } from "../events/streams.js";
import { beginning, type Position } from "../shared/position.js";

const eventsPerBatch = 1_024;

/** A time that was later than all before it, and the last position before it. */
interface Tick {
  readonly time: number;
  readonly before: Position;
  readonly at: Position;
}

/** The log's clock, folded in memory at the first question and read on at later ones: 100 bytes for each millisecond in which something happened. */
export function openLogClock(source: EventSource): LogClock {
  const ticks: Tick[] = [];
  let upTo = beginning;
  let reading: Promise<void> | null = null;
  const readOn = async (): Promise<void> => {
    const end = await source.head();
    if (upTo >= end) return;
    const aborting = new AbortController();
    for await (const batch of source.subscribe({ after: upTo, categories: streamCategories, maxBatchSize: eventsPerBatch, signal: aborting.signal })) {
      for (const { position, metadata } of batch.events) {
        const time = Date.parse(metadata.at);
        if (time > (ticks.at(-1)?.time ?? -Infinity)) ticks.push({ time, before: upTo, at: position });
        upTo = position;
      }
      if (batch.position >= end) break;
    }
    aborting.abort();
  };
  const catchUp = (): Promise<void> => (reading ??= readOn().finally(() => (reading = null)));
  return {
    async positionAt(time) {
      await catchUp();
      const place = firstAfter(ticks, (tick) => tick.time > time);
      return ticks[place]?.before ?? upTo;
    },
    async timeAt(position) {
      await catchUp();
      return ticks[firstAfter(ticks, (tick) => tick.at > position) - 1]?.time ?? null;
    },
  };
}

/** The first place for which it holds; it holds for all behind it. */
function firstAfter(ticks: readonly Tick[], holds: (tick: Tick) => boolean): number {
  let [low, high] = [0, ticks.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(ticks[middle] as Tick)) high = middle;
    else low = middle + 1;
  }
  return low;
}
