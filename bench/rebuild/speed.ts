import { rmSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { groupClosure } from "../../projections/groupClosure/project.js";
import { openSqliteEventSource } from "../../src/adapters/log/sqlite/openSqliteEventSource.js";
import type { Config } from "../../src/config.js";
import { beginning } from "../../src/shared/position.js";
import { Corpus } from "../corpus.js";
import { atLeast, interleave, median, timed, type Measurement } from "../measure.js";
import { build } from "./building.js";
import type { Tenant } from "./tenantLog.js";

/** The rebuild of the group closure against the reading and parsing of the same events. */
export async function measureClosureRebuild(
  config: Config,
  { events, documents }: Tenant,
  rounds: number,
): Promise<Measurement> {
  const count = events - documents;
  const figures = await interleave(
    rounds,
    () => build("groupClosure", config),
    () => timed(() => readToEnd(join(config.dataDir, "log.sqlite"))),
  );
  const [ours, peer] = [median(figures.ours), median(figures.peer)];
  const perEvent = (milliseconds: number): string => `${((milliseconds * 1_000) / count).toFixed(2)} µs an event`;
  return {
    name: `rebuild of groupClosure ÷ reading and parsing the same ${count.toLocaleString("en")} events (events a second)`,
    ...atLeast(0.5, peer / ours),
    ours: perEvent(ours),
    peer: perEvent(peer),
    rounds,
  };
}

async function readToEnd(file: string): Promise<void> {
  const source = openSqliteEventSource({ file });
  const stopping = new AbortController();
  const request = {
    after: beginning,
    categories: groupClosure.categories,
    maxBatchSize: 1_000,
    signal: stopping.signal,
  };
  for await (const batch of source.subscribe(request)) if (batch.caughtUp) stopping.abort();
  source.close();
}

/** The rebuild of the search index against two imports of titles and texts into a plain FTS5 table. */
export async function measureSearchRebuild(
  config: Config,
  { documents }: Tenant,
  rounds: number,
): Promise<readonly Measurement[]> {
  const file = join(config.dataDir, "plain.sqlite");
  const figures = { ours: [] as number[], usual: [] as number[], tuned: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    figures.ours.push(await build("search", config));
    figures.usual.push(await importPlainly(file, documents, usual));
    figures.tuned.push(await importPlainly(file, documents, tuned));
  }
  const speed = (milliseconds: number): string =>
    `${Math.round((documents * 1_000) / milliseconds).toLocaleString("en")} documents/s`;
  const against = (peerIs: string, times: readonly number[]): Measurement => {
    const [ours, peer] = [median(figures.ours), median(times)];
    return {
      name: `rebuild of search ÷ a raw FTS5 import of the same ${documents.toLocaleString("en")} documents, ${peerIs}`,
      ...atLeast(0.8, peer / ours),
      ours: speed(ours),
      peer: speed(peer),
      rounds,
    };
  };
  return [against("500 in a transaction", figures.usual), against("tuned as the rebuild is", figures.tuned)];
}

/** How documents are imported: in both cases committed as durably as by the rebuild, and with FTS5's own tokeniser. */
interface PlainImport {
  readonly documentsInTransaction: number;
  readonly settings: string;
}

/** FTS5 as it comes. */
const usual: PlainImport = { documentsInTransaction: 500, settings: "" };

/** As few commits and merges as the rebuild's, with its memory. */
const tuned: PlainImport = {
  documentsInTransaction: 20_000,
  settings: `PRAGMA cache_size = -32000; PRAGMA wal_autocheckpoint = 4000;
    INSERT INTO documents (documents, rank) VALUES ('hashsize', 8388608);
    INSERT INTO documents (documents, rank) VALUES ('automerge', 16);
    INSERT INTO documents (documents, rank) VALUES ('crisismerge', 32);`,
};

async function importPlainly(
  file: string,
  documents: number,
  { documentsInTransaction, settings }: PlainImport,
): Promise<number> {
  const corpus = new Corpus(11);
  const rows = Array.from({ length: documents }, (_, number) => corpus.document(`d${number}`));
  const database = new Database(file);
  database.pragma("journal_mode = WAL");
  database.pragma("synchronous = NORMAL");
  database.exec("CREATE VIRTUAL TABLE documents USING fts5 (title, body)");
  database.exec(settings);
  const statement = database.prepare("INSERT INTO documents (title, body) VALUES (?, ?)");
  const insert = database.transaction((from: number) => {
    for (const { title, text } of rows.slice(from, from + documentsInTransaction)) statement.run(title, text);
  });
  const took = await timed(() => {
    for (let from = 0; from < documents; from += documentsInTransaction) insert(from);
  });
  database.close();
  for (const suffix of ["", "-wal", "-shm"]) rmSync(`${file}${suffix}`, { force: true });
  return took;
}
