import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import Database from "better-sqlite3";
import { hash, randomUUID } from "node:crypto";
import { readConfig, type Config } from "../src/config.js";
import { type Measurement, timed, atMost, median, percentile, atLeast, interleave } from "./measure.js";
import { startServiceProcess, untilAppended } from "./processes.js";
import { openBuilder } from "../src/daemon/buildVersion.js";
import type { ReadModelName } from "../src/events/projection.js";
import { openProjecting } from "../src/wiring/projecting.js";
import type { CommandContext, CommandResult } from "../commands/commands.js";
import { Operator } from "../test/rebuild/operator.js";
import { groupClosure } from "../projections/groupClosure/project.js";
import { openSqliteEventSource } from "../src/adapters/log/sqlite/openSqliteEventSource.js";
import { beginning } from "../src/shared/position.js";
import { Corpus, seededRandom } from "./corpus.js";
import type { AppendOutcome } from "../commands/ports.js";
import { openSqliteEventLog } from "../src/adapters/log/sqlite/openSqliteEventLog.js";
import { documentStream } from "../src/events/streams.js";
import { toCredentialId, toDatasourceName } from "../src/shared/ids.js";
import {
  emailOf,
  foundation,
  groupName,
  makeOrganisation,
  memberships,
  type Organisation,
  recordLog,
} from "./closure.js";
import { toIndexed } from "./searchCorpus.js";

const size: TenantSize = { events: 1_000_000, documents: 100_000, people: 10_000 };

/**
 * Rebuilds against reading the log and a raw import, and what they cost people who search meanwhile. REBUILD_SCALE
 * makes it smaller.
 */
export async function measureRebuilds(rounds: number, report: (line: string) => void): Promise<readonly Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), "bench-rebuild-"));
  const scale = Number(process.env["REBUILD_SCALE"] ?? 1);
  try {
    const tenant = await recordTenant(
      join(folder, "log.sqlite"),
      { events: size.events * scale, documents: size.documents * scale, people: size.people * scale },
      report,
    );
    const config = configOf(folder);
    report("rebuilding the group closure");
    const closure = await measureClosureRebuild(config, tenant, rounds);
    report("rebuilding the search index");
    const search = await measureSearchRebuild(config, tenant, Math.min(rounds, 3));
    report("projecting everything once");
    await (await startServiceProcess({ DATA_DIR: folder })).stop();
    report("searching while it is rebuilt");
    return [closure, ...search, ...(await measureLiveSearch(config, tenant, rounds))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function configOf(dataDir: string): Config {
  const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: "silent" });
  if (!config.ok) throw new Error(config.error.join("\n"));
  return config.value;
}

/** Milliseconds that the service's own rebuild takes to come to the end of the log. */
export async function build(name: ReadModelName, config: Config, version = 2): Promise<number> {
  const { readModels, ...projecting } = await openProjecting(config);
  const readModel = readModels[name];
  const logger = pino({ level: "silent" });
  const builder = await openBuilder({ ...projecting, readModel, logger, openLease: readModels.fileLease });
  const stopping = new AbortController();
  const grant = await builder.lease.acquire(stopping.signal);
  if (grant === null) throw new Error("Nobody else is expected to build.");
  const took = await timed(() => builder.project(version, grant, stopping.signal, () => stopping.abort()));
  await grant.release();
  await builder.close();
  await readModel.drop(version);
  await projecting.close();
  return took;
}

const context: CommandContext = { by: "operator", correlationId: "bench", allowedDatasources: null };
/** Searches of one window, a few milliseconds apart: a service that is used, not one that is overrun. */
const searchesPerWindow = 500;

const pauseMs = 5;

/**
 * What a client that searches through the running service waits for, while a rebuild goes on and while none does, in
 * turns.
 */
async function measureLiveSearch(
  config: Config,
  { questions, person }: Tenant,
  rounds: number,
): Promise<readonly Measurement[]> {
  const service = await startServiceProcess({ DATA_DIR: config.dataDir });
  const key = await service.createKey(person);
  const operator = await Operator.of({ DATA_DIR: config.dataDir });
  try {
    const search = async (number: number): Promise<number> => {
      const query = encodeURIComponent(questions[number % questions.length] ?? "");
      return timed(async () => {
        const answer = await fetch(`${service.url}/api/beta/search?query=${query}`, {
          headers: { authorization: `Bearer ${key}` },
        });
        await answer.arrayBuffer();
        if (answer.status !== 200) throw new Error(`A search was answered with ${answer.status}.`);
      });
    };
    for (let warm = 0; warm < questions.length; warm++) await search(warm);
    const windows = { without: [] as number[][], during: [] as number[][] };
    for (let round = 0; round < rounds; round++) {
      windows.without.push(await searchSteadily(search));
      const giveUp = await startRebuild(operator);
      windows.during.push(await searchSteadily(search));
      await giveUp();
    }
    return [50, 99].map((percent) => {
      const [ours, peer] = [windows.during, windows.without].map((kept) =>
        median(kept.map((figures) => percentile(figures, percent))),
      ) as [number, number];
      const inMs = (value: number): string => `${value.toFixed(2)} ms`;
      return {
        name: `search over HTTP during a rebuild of search ÷ without, ${percent === 50 ? "median" : "p99"}`,
        ...atMost(2, ours / peer),
        ours: inMs(ours),
        peer: inMs(peer),
        rounds,
      };
    });
  } finally {
    await operator.leave();
    await service.stop();
  }
}

async function searchSteadily(search: (number: number) => Promise<number>): Promise<number[]> {
  const figures: number[] = [];
  for (let number = 0; number < searchesPerWindow; number++) {
    figures.push(await search(number));
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return figures;
}

/** Resolves once the new version has begun to grow; answers with what gives it up. */
async function startRebuild(operator: Operator): Promise<() => Promise<void>> {
  const { commands } = operator;
  await accepted(commands.rebuildProjection({ name: "search", verify: false, keep: 1, accepted: false }, context));
  while (((await operator.positionUnderWay("search")) ?? 0n) === 0n)
    await new Promise((resolve) => setTimeout(resolve, 50));
  const version = operator.stateOf("search").newest;
  return () => accepted(commands.dropVersion({ name: "search", version }, context));
}

async function accepted(result: CommandResult<null>): Promise<void> {
  const outcome = await result;
  if (!outcome.ok) throw new Error(`Refused: ${JSON.stringify(outcome.error)}`);
}

/** The rebuild of the group closure against the reading and parsing of the same events. */
async function measureClosureRebuild(
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
async function measureSearchRebuild(
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

/** How large a tenant is. People have as many memberships as it takes to fill the log. */
interface TenantSize {
  readonly events: number;
  readonly documents: number;
  readonly people: number;
  readonly groups?: number;
}

/** What a log was filled with. */
interface Tenant {
  readonly organisation: Organisation;
  readonly documents: number;
  readonly events: number;
  readonly questions: readonly string[];
  /** Belongs to groups that documents name. */
  readonly person: string;
}

const usualGroups = 2_000;
const depth = 10;
const concurrency = 500;
/** The datasource of `organisation.ts`. */
const datasource = toDatasourceName("organisation");

/** Writes a log as the service would: an organisation with its memberships, then documents with their texts. */
export async function recordTenant(
  file: string,
  { events, documents, people, groups = usualGroups }: TenantSize,
  report: (line: string) => void,
): Promise<Tenant> {
  const groupsPerPerson = Math.max(1, Math.round((events - documents - people - 2.2 * groups) / people));
  const organisation = makeOrganisation(5, { groups, depth, people, groupsPerPerson });
  report("writing the organisation");
  const written = [...foundation(organisation), ...memberships(organisation)];
  await recordLog(file, written);
  report("writing the documents");
  const corpus = new Corpus(11);
  await recordDocuments(file, organisation, corpus, documents);
  const questions = Array.from({ length: 200 }, (_, index) => corpus.text(1 + (index % 4)));
  return { organisation, documents, events: written.length + documents, questions, person: emailOf(0) };
}

async function recordDocuments(
  file: string,
  { datasourceId, groupIds }: Organisation,
  corpus: Corpus,
  documents: number,
): Promise<void> {
  const random = seededRandom(12);
  const log = await openSqliteEventLog({ file });
  const metadata = {
    at: new Date().toISOString(),
    by: toCredentialId("benchmark123"),
    correlationId: "bench",
    causationId: "bench",
  } as const;
  let underWay: Promise<AppendOutcome>[] = [];
  for (let number = 0; number < documents; number++) {
    const document = corpus.document(`d${number}`);
    const names = Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
      groupName(Math.floor(random() * groupIds.length)),
    );
    const reference = { sha256: hash("sha256", document.text), bytes: Buffer.byteLength(document.text) };
    const data = { ...toIndexed(document, names), datasourceId, datasource, content: reference };
    const stream = documentStream(datasourceId, data.documentId);
    const contents = [{ datasource, stream, reference, text: document.text }];
    const event = { id: randomUUID(), event: { type: "DocumentIndexed", data }, metadata } as const;
    underWay.push(
      log.append({
        stream,
        expectedRevision: "noStream",
        events: [event],
        contents,
      }),
    );
    if (underWay.length === concurrency) await untilAppended(underWay.splice(0));
  }
  await untilAppended(underWay);
  underWay = [];
  await log.close();
}
