import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomUUID } from "node:crypto";
import { type Measurement, percentile, timed } from "./measure.js";
import { createAccess } from "../src/audit/access/access.js";
import { StreamTimelines } from "../src/audit/timeline/streamTimelines.js";
import { openSqliteEventLog } from "../src/adapters/log/sqlite/openSqliteEventLog.js";
import { openSqliteEventSource } from "../src/adapters/log/sqlite/openSqliteEventSource.js";
import { openSqliteHistoryClock } from "../src/adapters/permissionHistory/sqlite/openSqliteHistoryClock.js";
import { seededRandom } from "./corpus.js";
import type { AppendOutcome } from "../commands/ports.js";
import type { DocumentAccess } from "../src/events/document.js";
import type { DomainEvent } from "../src/events/domainEvent.js";
import {
  datasourceStream,
  documentStream,
  groupGraphStream,
  userStream,
  type StreamName,
} from "../src/events/streams.js";
import {
  toCredentialId,
  toDatasourceId,
  toDatasourceName,
  toDocumentId,
  toEmail,
  toGroupId,
  type DocumentId,
  type Email,
} from "../src/shared/ids.js";
import { untilAppended, datasourceRegistered } from "./processes.js";
import { createPermissionHistoryWriter } from "../projections/permissionHistory/readModel.js";
import { permissionHistory } from "../projections/permissionHistory/project.js";
import type { EventSource } from "../projections/ports.js";
import { runProjection } from "../projections/runProjection.js";
import { openSqlitePermissionHistoryStore } from "../src/adapters/permissionHistory/sqlite/openSqlitePermissionHistoryStore.js";
import { beginning } from "../src/shared/position.js";
import { createHistory } from "../src/audit/asOf/history.js";
import type { AskHistory, HistoryQuestion } from "../src/audit/historyQuestions.js";
import { firstVersion } from "../src/events/projection.js";
import { sqlitePermissionHistoryStorage } from "../src/adapters/permissionHistory/sqlite/sqlitePermissionHistoryStorage.js";

const auditLogSize: AuditLogSize = { events: 1_000_000, documents: 100_000, people: 10_000, groups: 2_000 };

/** Questions about the past, and the projection that the wider ones rest on. */
export async function measureAudit(rounds: number, report: (line: string) => void): Promise<readonly Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), "bench-audit-"));
  try {
    const log = join(folder, "log.sqlite");
    await recordAuditLog(log, auditLogSize, report);
    report("projecting the permission history");
    const projecting = await measureProjecting(log, join(folder, "permissionHistory.sqlite"), auditLogSize.events);
    report("access as of a moment");
    const access = await measureAccess(log, join(folder, "permissionHistory.sqlite"), auditLogSize, rounds);
    report("first pages");
    return [...access, ...(await measureFirstPages(folder, auditLogSize, rounds)), projecting];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const questionsPerRound = 500;
const mostMs = 20;

/**
 * One person and one document as of any time, explained; after the first question about the datasource, whose groups
 * are folded then.
 */
async function measureAccess(
  file: string,
  historyFile: string,
  size: AuditLogSize,
  rounds: number,
): Promise<readonly Measurement[]> {
  const [log, source] = [await openSqliteEventLog({ file }), openSqliteEventSource({ file })];
  const clock = openSqliteHistoryClock({ file: historyFile, logHead: () => source.head(), patienceMs: 5_000 });
  const streams = { readStream: log.readStream.bind(log), head: () => source.head() };
  // Only questions about now look at what is served.
  const access = createAccess({
    log: streams,
    timelines: new StreamTimelines(streams),
    clock,
    now: () => new Date(),
    served: undefined as never,
  });
  const random = seededRandom(29);
  const below = (limit: number): number => Math.floor(random() * limit);
  const ask = async (): Promise<void> => {
    const time = logBegins + below(logEnds(size) - logBegins);
    const answer = await access({
      user: emailOf(below(size.people)),
      datasource,
      documentId: documentIdOf(below(size.documents)),
      at: { kind: "time", time },
    });
    if (!answer.ok) throw new Error(answer.error.type);
  };
  const cold = await timed(ask);
  const times: number[] = [];
  for (let index = 0; index < rounds * questionsPerRound; index++) times.push(await timed(ask));
  clock.close();
  source.close();
  await log.close();
  const p99 = percentile(times, 99);
  return [
    {
      name: "audit access as of any time, explained (p99, ms)",
      ...{ ratio: p99, target: `≤ ${mostMs}`, met: p99 <= mostMs },
      ours: `p50 ${percentile(times, 50).toFixed(2)} ms, p99 ${p99.toFixed(2)} ms; the first question ${cold.toFixed(0)} ms`,
      peer: "",
      rounds,
    },
  ];
}

/**
 * How large the log is. Events beyond what the rest needs are changes: documents indexed again, people who come and go.
 */
export interface AuditLogSize {
  readonly events: number;
  readonly documents: number;
  readonly people: number;
  readonly groups: number;
}

/** The one datasource of the log. */
export const datasource = toDatasourceName("archive");

const datasourceId = toDatasourceId("archive0000000000001");
export const emailOf = (person: number): Email => toEmail(`person${person}@example.org`);
export const documentIdOf = (document: number): DocumentId => toDocumentId(`document-${document}`);

const groupIdOf = (group: number) => toGroupId(group.toString(16).padStart(20, "0"));
const nameOf = (group: number): string => `group-${group}`;
const levels = 8;
const groupsPerPerson = 5;
const concurrency = 2_000;
/** Milliseconds from one event to the next, on the log's own clock. */
const tickMs = 250;

/** The first event's. */
export const logBegins = Date.parse("2025-01-01T00:00:00.000Z");

/** When the last event was decided. */
export const logEnds = ({ events }: AuditLogSize): number => logBegins + events * tickMs;

interface Written {
  readonly stream: StreamName;
  readonly event: DomainEvent;
}

/** Writes the log as the service would, one append per event. Answers with the number of events. */
async function recordAuditLog(file: string, size: AuditLogSize, report: (line: string) => void): Promise<number> {
  const log = await openSqliteEventLog({ file });
  const revisions = new Map<StreamName, number>();
  const by = toCredentialId("benchmark123");
  let underWay: Promise<AppendOutcome>[] = [];
  let count = 0;
  for (const { stream, event } of historyOf(size)) {
    const revision = revisions.get(stream);
    revisions.set(stream, (revision ?? -1) + 1);
    const metadata = {
      at: new Date(logBegins + count * tickMs).toISOString(),
      by,
      correlationId: `request-${count}`,
      causationId: `request-${count}`,
    };
    underWay.push(
      log.append({ stream, expectedRevision: revision ?? "noStream", events: [{ id: randomUUID(), event, metadata }] }),
    );
    if (++count % 100_000 === 0) report(`writing the log: ${count.toLocaleString("en")} events`);
    if (underWay.length < concurrency) continue;
    await untilAppended(underWay);
    underWay = [];
  }
  await untilAppended(underWay);
  await log.close();
  return count;
}

/**
 * Groups in levels, people in the lower ones, documents for a few groups or people or for everybody, then a long time
 * of changes.
 */
function* historyOf(size: AuditLogSize): Generator<Written> {
  const random = seededRandom(17);
  const below = (limit: number): number => Math.floor(random() * limit);
  let left = size.events;
  const foundation = [...organisation(size, below)];
  yield* foundation;
  left -= foundation.length;
  for (let document = 0; document < size.documents && left > 0; document++, left--)
    yield indexed(document, accessOf(size, below));
  const members = new Set<number>();
  for (; left > 0; left--) {
    const kind = below(10);
    if (kind < 5) yield indexed(below(size.documents), accessOf(size, below));
    else {
      const [person, group] = [below(size.people), lowGroup(size, below)];
      const key = person * size.groups + group;
      const type = members.has(key) ? "MembershipRemoved" : "MembershipAdded";
      if (!members.delete(key)) members.add(key);
      yield membership(type, person, group);
    }
  }
}

function* organisation({ groups, people }: AuditLogSize, below: (limit: number) => number): Generator<Written> {
  const perLevel = Math.ceil(groups / levels);
  yield {
    stream: datasourceStream(datasource),
    event: datasourceRegistered(datasourceId, datasource),
  };
  const graph = groupGraphStream(datasourceId);
  for (let group = 0; group < groups; group++)
    yield {
      stream: graph,
      event: { type: "GroupCreated", data: { datasourceId, groupId: groupIdOf(group), name: nameOf(group) } },
    };
  for (let group = perLevel; group < groups; group++) {
    const above = (Math.floor(group / perLevel) - 1) * perLevel + below(perLevel);
    yield {
      stream: graph,
      event: {
        type: "MembershipAdded",
        data: { datasourceId, groupId: groupIdOf(above), member: { kind: "group", groupId: groupIdOf(group) } },
      },
    };
  }
  for (let person = 0; person < people; person++) {
    yield {
      stream: userStream(datasourceId, emailOf(person)),
      event: { type: "UserRegistered", data: { datasourceId, email: emailOf(person), name: null } },
    };
  }
}

/** People belong to groups of the lower half, or, one time in a hundred, to any. */
const lowGroup = ({ groups }: AuditLogSize, below: (limit: number) => number): number =>
  below(100) === 0 ? below(groups) : Math.floor(groups / 2) + below(Math.ceil(groups / 2));

function membership(type: "MembershipAdded" | "MembershipRemoved", person: number, group: number): Written {
  const email = emailOf(person);
  return {
    stream: userStream(datasourceId, email),
    event: { type, data: { datasourceId, groupId: groupIdOf(group), member: { kind: "user", email } } },
  };
}

/** One document in fifty for everybody, the others for one to three groups, every fifth for a person besides. */
function accessOf({ groups, people }: AuditLogSize, below: (limit: number) => number): DocumentAccess {
  if (below(50) === 0) return { anonymous: true, users: [], groups: [] };
  const granted = new Set(Array.from({ length: 1 + below(groupsPerPerson - 2) }, () => nameOf(below(groups))));
  return { anonymous: false, users: below(5) === 0 ? [emailOf(below(people))] : [], groups: [...granted].sort() };
}

function indexed(document: number, access: DocumentAccess): Written {
  const documentId = documentIdOf(document);
  const event: DomainEvent = {
    type: "DocumentIndexed",
    data: {
      datasourceId,
      datasource,
      documentId,
      access,
      title: `Document ${document}`,
      content: { sha256: "3fc2118d352cbb01db0d8b015d9df5926e416c4b75379601277187da80329c6b", bytes: 8 },
      mimeType: "text/plain",
      size: 8,
      fileType: "page",
      pathPreview: `https://archive.example.org/${document}`,
      path: null,
      author: null,
      lastModified: "2024-05-01T10:00:00Z",
      sub: null,
      childSub: null,
      customProperties: [],
      supersededContent: null,
      widenedToAnonymous: false,
    },
  };
  return { stream: documentStream(datasourceId, documentId), event };
}

const batchSize = 1_000;

/**
 * The history built from the log by the service's own loop, once, against the same subscription read to its end and
 * dropped.
 */
async function measureProjecting(log: string, file: string, events: number): Promise<Measurement> {
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

const pagesPerRound = 100;
const pageSize = 100;
const mostPageMs = 100;
const patienceMs = 5_000;

/**
 * From the question to its first page of a hundred, with the total, as of any time; by the thread that the service
 * asks.
 */
async function measureFirstPages(dataDir: string, size: AuditLogSize, rounds: number): Promise<readonly Measurement[]> {
  const source = openSqliteEventSource({ file: `${dataDir}/log.sqlite` });
  const storage = sqlitePermissionHistoryStorage({ dataDir, patienceMs, logHead: () => source.head() });
  const { reader, close } = await storage.openReader(firstVersion);
  const { clock, page } = reader;
  const services = { patienceMs, log: source, now: () => new Date(), clock, progress: clock, page };
  const history = (question: AskHistory): ReturnType<ReturnType<typeof createHistory>> =>
    createHistory(services)(question);
  const random = seededRandom(23);
  const below = (limit: number): number => Math.floor(random() * limit);
  const ask = async (question: HistoryQuestion): Promise<void> => {
    const time = logBegins + below(logEnds(size) - logBegins);
    const answer = await history({ question, at: { kind: "time", time }, next: null, count: pageSize });
    if (!answer.ok) throw new Error(answer.error.type);
  };
  const measured = async (name: string, make: () => HistoryQuestion): Promise<Measurement> => {
    await ask(make());
    const times: number[] = [];
    for (let index = 0; index < rounds * pagesPerRound; index++) times.push(await timed(() => ask(make())));
    const p99 = percentile(times, 99);
    return {
      name: `audit ${name} as of any time, first page of ${pageSize} with its total (p99, ms)`,
      ...{ ratio: p99, target: `≤ ${mostPageMs}`, met: p99 <= mostPageMs },
      ours: `p50 ${percentile(times, 50).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, at most ${Math.max(...times).toFixed(1)} ms`,
      peer: "",
      rounds,
    };
  };
  const measurements = [
    await measured("who", () => ({ kind: "who", datasource, documentId: documentIdOf(below(size.documents)) })),
    await measured("what", () => ({ kind: "what", user: emailOf(below(size.people)) })),
  ];
  await close();
  source.close();
  return measurements;
}
