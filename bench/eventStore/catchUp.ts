import { randomUUID } from "node:crypto";
import { EventStoreDBClient, streamNameFilter } from "@eventstore/db-client";
import type { ProjectionBatch, ProjectionWriter } from "../../projections/ports.js";
import { runProjection } from "../../projections/runProjection.js";
import type { SearchChange } from "../../projections/search/changes.js";
import { searchProjection } from "../../projections/search/project.js";
import { openEventStoreEventLog } from "../../src/adapters/log/eventstoredb/openEventStoreEventLog.js";
import { openEventStoreEventSource } from "../../src/adapters/log/eventstoredb/openEventStoreEventSource.js";
import { documentStream } from "../../src/events/streams.js";
import { toDatasourceId, toDocumentId } from "../../src/shared/ids.js";
import { beginning, type Position } from "../../src/shared/position.js";
import { Corpus } from "../corpus.js";
import { atLeast, interleave, median, timed, type Measurement } from "../measure.js";
import { inFlight, toEvent, type Target } from "./target.js";

const eventCount = 100_000;
const eventsPerAppend = 250;
const mebibyte = 1024 * 1024;

/** Texts are left out: the bare catch-up does not read them either. */
export async function measureCatchUp(target: Target, rounds: number): Promise<Measurement> {
  const own = { ...target, namespace: `${target.namespace}-catch-up` };
  await fill(own);
  const peaks: number[] = [];
  const figures = await interleave(
    rounds,
    () => timed(async () => peaks.push(await project(own))),
    () => timed(() => bareCatchUp(own)),
  );
  const rate = (milliseconds: readonly number[]): number => (eventCount / median(milliseconds)) * 1000;
  return {
    name: `projecting ${eventCount} document events into a search adapter that answers at once ÷ the bare client's catch-up`,
    ...atLeast(0.7, rate(figures.ours) / rate(figures.peer)),
    ours: `${rate(figures.ours).toFixed(0)} events/s, memory at most ${(Math.max(...peaks) / mebibyte).toFixed(0)} MiB more than at the start`,
    peer: `${rate(figures.peer).toFixed(0)} events/s`,
    rounds,
  };
}

async function fill(target: Target): Promise<void> {
  const log = await openEventStoreEventLog(target);
  const corpus = new Corpus(11);
  const appends = Array.from({ length: eventCount / eventsPerAppend }, (_, index) => index);
  await inFlight(4, appends, async (append) => {
    const events = Array.from({ length: eventsPerAppend }, (_, index) =>
      toEvent(corpus.document(`${append}-${index}`), randomUUID()),
    );
    const stream = documentStream(toDatasourceId("bench"), toDocumentId(`${append}`));
    await log.append({ stream, expectedRevision: "noStream", events });
  });
  await log.close();
}

/** Answers how much the memory grew at most. */
async function project(target: Target): Promise<number> {
  const source = openEventStoreEventSource(target);
  const stop = new AbortController();
  const start = process.memoryUsage.rss();
  let [seen, peak] = [0, 0];
  let checkpoint: Position = beginning;
  const writer: ProjectionWriter<SearchChange> = {
    checkpoint: async () => checkpoint,
    apply: async (batch: ProjectionBatch<SearchChange>) => {
      checkpoint = batch.position;
      seen += batch.changes.length;
      peak = Math.max(peak, process.memoryUsage.rss() - start);
      if (seen >= eventCount) stop.abort();
      return "applied";
    },
  };
  const fail = (error: unknown): never => {
    throw new Error("The projection did not run undisturbed.", { cause: error });
  };
  await runProjection({
    projection: searchProjection,
    writer,
    source,
    signal: stop.signal,
    maxBatchSize: 1_000,
    retryDelayMs: 100,
    onParked: fail,
    onFailure: fail,
  });
  await source.close();
  return peak;
}

async function bareCatchUp({ url, namespace }: Target): Promise<void> {
  const client = EventStoreDBClient.connectionString(url);
  const prefixes = searchProjection.categories.map((category) => `${namespace}.${category}-`);
  const subscription = client.subscribeToAll({ filter: streamNameFilter({ prefixes, maxSearchWindow: 1_000 }) });
  let seen = 0;
  for await (const { event } of subscription) {
    if (event !== undefined && ++seen === eventCount) break;
  }
  await client.dispose();
}
