import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { groupClosure } from "../../projections/groupClosure/project.js";
import type { EventSource } from "../../projections/ports.js";
import { runProjection } from "../../projections/runProjection.js";
import { openSqliteEventSource } from "../../src/adapters/log/sqlite/openSqliteEventSource.js";
import { beginning } from "../../src/shared/position.js";
import { atLeast, interleave, median, timed, type Measurement } from "../measure.js";
import { foundation, memberships, type Organisation } from "./organisation.js";
import { batchSize, openWriters } from "./projecting.js";
import { recordLog } from "./recordLog.js";

/**
 * The closure built from the log by the service's own loop, against the same subscription read to its end and dropped.
 */
export async function measureRebuild(folder: string, organisation: Organisation, rounds: number): Promise<Measurement> {
  mkdirSync(folder, { recursive: true });
  const log = join(folder, "log.sqlite");
  const events = [...foundation(organisation), ...memberships(organisation)];
  const { length } = events;
  await recordLog(log, events);
  const source = openSqliteEventSource({ file: log });
  const figures = await interleave(
    rounds,
    () => rebuild(source, join(folder, "rebuilt")),
    () => timed(() => readToEnd(source)),
  );
  source.close();
  const [ours, peer] = [median(figures.ours), median(figures.peer)];
  const perEvent = (milliseconds: number): string => `${((milliseconds * 1_000) / length).toFixed(2)} µs an event`;
  return {
    name: `closure rebuild from the log ÷ reading and parsing the same ${length.toLocaleString("en")} events (events a second)`,
    ...atLeast(0.5, peer / ours),
    ours: perEvent(ours),
    peer: perEvent(peer),
    rounds,
  };
}

async function readToEnd(source: EventSource): Promise<void> {
  const stopping = new AbortController();
  const request = {
    after: beginning,
    categories: groupClosure.categories,
    maxBatchSize: batchSize,
    signal: stopping.signal,
  };
  for await (const batch of source.subscribe(request)) if (batch.caughtUp) stopping.abort();
}

async function rebuild(source: EventSource, folder: string): Promise<number> {
  rmSync(folder, { recursive: true, force: true });
  const writers = openWriters(folder);
  const stopping = new AbortController();
  const onFailure = (error: unknown): never => {
    throw error;
  };
  const took = await timed(() =>
    runProjection({
      projection: groupClosure,
      writer: writers.groupClosure,
      source: endingAtTheEnd(source, stopping),
      signal: stopping.signal,
      maxBatchSize: batchSize,
      onParked: onFailure,
      onFailure,
      retryDelayMs: 0,
    }),
  );
  if ((await writers.groupClosure.checkpoint()) !== (await source.head()))
    throw new Error("The rebuild did not reach the end of the log.");
  writers.close();
  return took;
}

/** The source, stopped once the batch that reached the end of the log has been applied. */
function endingAtTheEnd(source: EventSource, stopping: AbortController): EventSource {
  return {
    head: () => source.head(),
    holds: () => Promise.resolve(true),
    async *subscribe(request) {
      for await (const batch of source.subscribe(request)) {
        yield batch;
        if (batch.caughtUp) stopping.abort();
      }
    },
  };
}
