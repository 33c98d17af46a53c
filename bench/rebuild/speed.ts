import { rmSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { groupClosure } from "../../projections/groupClosure/project.js";
import { openSqliteEventSource } from "../../src/adapters/eventLog/sqlite/openSqliteEventSource.js";
import type { Config } from "../../src/config.js";
import { beginning } from "../../src/shared/position.js";
import { Corpus } from "../corpus.js";
import { atLeast, interleave, median, timed, type Measurement } from "../measure.js";
import { build } from "./building.js";
import type { Tenant } from "./tenantLog.js";

/** The rebuild of the group closure against the reading and parsing of the same events. */
export async function measureClosureRebuild(config: Config, { events, documents }: Tenant, rounds: number): Promise<Measurement> {
  const count = events - documents;
  const figures = await interleave(rounds, () => build("groupClosure", config), () => timed(() => readToEnd(join(config.dataDir, "log.sqlite"))));
  const [ours, peer] = [median(figures.ours), median(figures.peer)];
  const perEvent = (milliseconds: number): string => `${((milliseconds * 1_000) / count).toFixed(2)} µs an event`;
  return { name: `rebuild of groupClosure ÷ reading and parsing the same ${count.toLocaleString("en")} events (events a second)`, ...atLeast(0.5, peer / ours), ours: perEvent(ours), peer: perEvent(peer), rounds };
}

async function readToEnd(file: string): Promise<void> {
  const source = openSqliteEventSource({ file });
  const stopping = new AbortController();
  const request = { after: beginning, categories: groupClosure.categories, maxBatchSize: 1_000, signal: stopping.signal };
  for await (const batch of source.subscribe(request)) if (batch.caughtUp) stopping.abort();
  source.close();
}

/** The rebuild of the search index against an import of titles and texts into a plain FTS5 table. */
export async function measureSearchRebuild(config: Config, { documents }: Tenant, rounds: number): Promise<Measurement> {
  const figures = await interleave(rounds, () => build("search", config), () => importPlainly(join(config.dataDir, "plain.sqlite"), documents));
  const [ours, peer] = [median(figures.ours), median(figures.peer)];
  const speed = (milliseconds: number): string => `${Math.round((documents * 1_000) / milliseconds).toLocaleString("en")} documents/s`;
  return { name: `rebuild of search ÷ a raw FTS5 import of the same ${documents.toLocaleString("en")} documents`, ...atLeast(0.8, peer / ours), ours: speed(ours), peer: speed(peer), rounds };
}

/** In the batches of a rebuild. */
const batchSize = 500;

async function importPlainly(file: string, documents: number): Promise<number> {
  const corpus = new Corpus(11);
  const rows = Array.from({ length: documents }, (_, number) => corpus.document(`d${number}`));
  const database = new Database(file);
  database.pragma("journal_mode = WAL");
  database.pragma("synchronous = NORMAL");
  database.exec("CREATE VIRTUAL TABLE documents USING fts5 (title, body)");
  const statement = database.prepare("INSERT INTO documents (title, body) VALUES (?, ?)");
  const insert = database.transaction((from: number) => {
    for (const { title, text } of rows.slice(from, from + batchSize)) statement.run(title, text);
  });
  const took = await timed(() => {
    for (let from = 0; from < documents; from += batchSize) insert(from);
  });
  database.close();
  for (const suffix of ["", "-wal", "-shm"]) rmSync(`${file}${suffix}`, { force: true });
  return took;
}
