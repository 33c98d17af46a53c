import { createPermissionHistoryWriter } from "../../projections/permissionHistory/permissionHistoryWriter.js";
import { permissionHistory } from "../../projections/permissionHistory/project.js";
import type { EventSource } from "../../projections/ports.js";
import { runProjection } from "../../projections/runProjection.js";
import { openSqliteEventSource } from "../../src/adapters/log/sqlite/openSqliteEventSource.js";
import { openSqlitePermissionHistoryStore } from "../../src/adapters/permissionHistory/sqlite/openSqlitePermissionHistoryStore.js";
import { beginning } from "../../src/shared/position.js";
import { timed, type Measurement } from "../measure.js";

const batchSize = 1_000;

/**
 * The history built from the log by the service's own loop, once, against the same subscription read to its end and
 * dropped.
 */
export async function measureProjecting(log: string, file: string, events: number): Promise<Measurement> {
  const source = openSqliteEventSource({ file: log });
  const store = openSqlitePermissionHistoryStore({ file });
  const peer = await timed(() => readToEnd(source));
  const ours = await timed(() => project(source, store));
  store.close();
  source.close();
  const rate = (milliseconds: number): string =>
    `${Math.round((events / milliseconds) * 1_000).toLocaleString("en")}/s (${((milliseconds * 1_000) / events).toFixed(1)} µs an event)`;
  return {
    name: `projecting the permission history ÷ reading and parsing the same ${events.toLocaleString("en")} events (events a second)`,
    ...{ ratio: peer / ours, target: "none", met: true },
    ours: rate(ours),
    peer: rate(peer),
    rounds: 1,
  };
}

async function readToEnd(source: EventSource): Promise<void> {
  const stopping = new AbortController();
  const request = {
    after: beginning,
    categories: permissionHistory.categories,
    maxBatchSize: batchSize,
    signal: stopping.signal,
  };
  for await (const batch of source.subscribe(request)) if (batch.caughtUp) stopping.abort();
}

async function project(source: EventSource, store: Parameters<typeof createPermissionHistoryWriter>[0]): Promise<void> {
  const stopping = new AbortController();
  const onFailure = (error: unknown): never => {
    throw error;
  };
  const ending: EventSource = {
    head: () => source.head(),
    holds: () => Promise.resolve(true),
    async *subscribe(request) {
      for await (const batch of source.subscribe(request)) {
        yield batch;
        if (batch.caughtUp) stopping.abort();
      }
    },
  };
  await runProjection({
    ...{
      projection: permissionHistory,
      writer: createPermissionHistoryWriter(store),
      source: ending,
      signal: stopping.signal,
    },
    ...{ maxBatchSize: batchSize, onParked: onFailure, onFailure, retryDelayMs: 0 },
  });
  if ((await store.checkpoint()) !== (await source.head()))
    throw new Error("The projection did not reach the end of the log.");
}
