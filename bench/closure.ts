import { mkdtempSync, rmSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomUUID } from "node:crypto";
import { type Measurement, atMost, median, percentile, timed, atLeast, interleave } from "./measure.js";
import type { DomainEvent, RecordedEvent, EventMetadata } from "../src/events/domainEvent.js";
import { seededRandom } from "./corpus.js";
import { groupClosure } from "../projections/groupClosure/project.js";
import { createGroupClosureWriter } from "../projections/groupClosure/groupClosureWriter.js";
import { openSqliteReadModelStores, openSqliteReadModels } from "../src/adapters/store/sqlite/sqliteStorages.js";
import { type StreamName, datasourceStream, groupGraphStream, userStream } from "../src/events/streams.js";
import { toPosition, beginning } from "../src/shared/position.js";
import { PrincipalTokens } from "../src/shared/principalTokens.js";
import type { AppendOutcome } from "../commands/ports.js";
import { openSqliteEventLog } from "../src/adapters/log/sqlite/openSqliteEventLog.js";
import {
  toCredentialId,
  type Email,
  type GroupId,
  type PrincipalToken,
  toDatasourceId,
  toDatasourceName,
  toEmail,
  toGroupId,
  type DatasourceId,
} from "../src/shared/ids.js";
import { untilAppended, datasourceRegistered } from "./processes.js";
import type { AccessReader } from "../queries/ports.js";
import type { EventSource } from "../projections/ports.js";
import { runProjection } from "../projections/runProjection.js";
import { openSqliteEventSource } from "../src/adapters/log/sqlite/openSqliteEventSource.js";

const groupCount = 20_000;
const nestingDepth = 30;
const groupsOfEach = 5;
const membershipCount = 1_000_000;

/**
 * The group closure against a search at the time of the question, a rebuild after every change, and the mere reading of
 * the log.
 */
export async function measureClosure(rounds: number, report: (line: string) => void): Promise<readonly Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), "bench-closure-"));
  try {
    report("checking access in process");
    const asked = makeOrganisation(1, {
      groups: groupCount,
      depth: nestingDepth,
      people: 12_000,
      groupsPerPerson: groupsOfEach,
    });
    const checks = await measureCheckAccess(join(folder, "checkAccess"), asked, rounds);
    report("changing one group edge");
    const edge = await measureOneEdge(
      join(folder, "oneEdge"),
      makeOrganisation(2, { groups: groupCount, depth: nestingDepth, people: 0, groupsPerPerson: groupsOfEach }),
      rounds,
    );
    report(`rebuilding from ${membershipCount.toLocaleString("en")} memberships`);
    const tenant = makeOrganisation(3, {
      groups: groupCount,
      depth: nestingDepth,
      people: membershipCount / groupsOfEach,
      groupsPerPerson: groupsOfEach,
    });
    return [...checks, edge, await measureRebuild(join(folder, "rebuild"), tenant, rounds)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** In each round, each as a change out and a change back in. */
const edgesPerRound = 100;

/**
 * One nesting that comes or goes, from the event to the commit of the rows that it changes, against a rebuild of the
 * closure from the events of the groups alone (without people, without reading the log). p99 against the median.
 */
async function measureOneEdge(folder: string, organisation: Organisation, rounds: number): Promise<Measurement> {
  const events = foundation(organisation);
  const random = seededRandom(5);
  const live = new Projecting(join(folder, "live"));
  await live.project(events);
  const [edges, rebuilds]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    const chosen = Array.from(
      { length: edgesPerRound },
      () => organisation.nestings[Math.floor(random() * organisation.nestings.length)] as Nesting,
    );
    for (const nesting of chosen) edges.push(...(await outAndIn(live, organisation, nesting)));
    rebuilds.push(await rebuild(join(folder, `rebuild${round}`), events));
  }
  live.close();
  const [edge, whole] = [percentile(edges, 99), median(rebuilds)];
  return {
    name: "one group edge changed (p99) ÷ a full closure rebuild, 20,000 groups",
    ...atMost(1 / 200, edge / whole),
    ours: `${edge.toFixed(2)} ms (median ${median(edges).toFixed(2)} ms)`,
    peer: `${whole.toFixed(0)} ms`,
    rounds,
  };
}

async function outAndIn(live: Projecting, organisation: Organisation, nesting: Nesting): Promise<readonly number[]> {
  const out = await timed(() => live.project([nested("MembershipRemoved", organisation, nesting)]));
  return [out, await timed(() => live.project([nested("MembershipAdded", organisation, nesting)]))];
}

async function rebuild(folder: string, events: readonly DomainEvent[]): Promise<number> {
  const projecting = new Projecting(folder);
  const took = await timed(() => projecting.project(events));
  projecting.close();
  return took;
}

export const tokens = new PrincipalTokens("bench");

/** As many events as the service projects at a time. */
export const batchSize = 1_000;

export const readModelsIn = (folder: string): string => join(folder, "readModels.sqlite");

export function openWriters(folder: string) {
  const stores = openSqliteReadModelStores({ file: readModelsIn(folder) });
  const writer = createGroupClosureWriter({ store: stores.groupClosure, tokens });
  return { groupClosure: writer, close: () => stores.close() };
}

/**
 * Projects events into the group closure as if they had been read from a log, in batches that know that more is to
 * come.
 */
export class Projecting {
  private readonly writers;
  private position = 0;

  constructor(folder: string) {
    this.writers = openWriters(folder);
  }

  async project(events: readonly DomainEvent[]): Promise<void> {
    for (let from = 0; from < events.length; from += batchSize) {
      const recorded = events.slice(from, from + batchSize).map((event, index) => this.record(event, index));
      const after = toPosition(this.position);
      this.position += recorded.length;
      const changes = recorded.flatMap((event) => groupClosure.project(event));
      const moreToCome = from + batchSize < events.length;
      await this.writers.groupClosure.apply({
        after,
        position: toPosition(this.position),
        changes,
        parked: [],
        moreToCome,
      });
    }
  }

  close(): void {
    this.writers.close();
  }

  private record(event: DomainEvent, index: number): RecordedEvent {
    const metadata = { at: "2026-01-01T00:00:00.000Z", by: "operator", correlationId: "", causationId: "" } as const;
    return {
      id: "",
      stream: "groupGraph-organisation" as StreamName,
      revision: 0,
      position: toPosition(this.position + index + 1),
      event,
      metadata,
    };
  }
}

/** Appends that are under way at a time. */
const concurrency = 2_000;

/** Writes a log as the service would: one append per event, in the order given within each stretch of appends. */
export async function recordLog(file: string, events: readonly DomainEvent[]): Promise<void> {
  const log = await openSqliteEventLog({ file });
  const revisions = new Map<StreamName, number>();
  let underWay: Promise<AppendOutcome>[] = [];
  for (const event of events) {
    const stream = streamOf(event);
    const revision = revisions.get(stream);
    revisions.set(stream, (revision ?? -1) + 1);
    underWay.push(
      log.append({
        stream,
        expectedRevision: revision ?? "noStream",
        events: [{ id: randomUUID(), event, metadata: metadata() }],
      }),
    );
    if (underWay.length < concurrency) continue;
    await untilAppended(underWay);
    underWay = [];
  }
  await untilAppended(underWay);
  await log.close();
}

/** Events of the kinds that `organisation.ts` makes. */
function streamOf({ data }: DomainEvent): StreamName {
  if ("email" in data && "datasourceId" in data) return userStream(data.datasourceId, data.email);
  if ("member" in data)
    return data.member.kind === "user"
      ? userStream(data.datasourceId, data.member.email)
      : groupGraphStream(data.datasourceId);
  if ("groupId" in data) return groupGraphStream(data.datasourceId);
  if ("displayName" in data && "name" in data) return datasourceStream(data.name as never);
  throw new Error("An organisation holds no such event.");
}

const metadata = (): EventMetadata => ({
  at: new Date().toISOString(),
  by: toCredentialId("benchmark123"),
  correlationId: randomUUID(),
  causationId: randomUUID(),
});

const checksPerRound = 2_000;
/** Groups on a document's access list. */
const groupsPerDocument = 3;

interface Check {
  readonly email: Email;
  readonly groups: readonly GroupId[];
  readonly tokens: readonly PrincipalToken[];
}

/**
 * May this person see this document? From the closure, against a breadth-first search from the person's groups upwards
 * over nestings that lie in memory as maps (no disk, no other process: the fastest that a search can be).
 */
async function measureCheckAccess(
  folder: string,
  organisation: Organisation,
  rounds: number,
): Promise<readonly Measurement[]> {
  const projecting = new Projecting(folder);
  await projecting.project([...foundation(organisation), ...memberships(organisation)]);
  projecting.close();
  const readers = openSqliteReadModels({ file: readModelsIn(folder) });
  const peer = new BreadthFirst(organisation);
  const checks = makeChecks(organisation);
  const [known, unknown] = [checks.slice(0, checksPerRound), checks.slice(checksPerRound)];
  const perRound = Math.floor(unknown.length / rounds);
  await measure(readers.access, peer, organisation, [known]);
  const again = await measure(
    readers.access,
    peer,
    organisation,
    Array.from({ length: rounds }, () => known),
  );
  const hypotheticalEntities = Array.from({ length: rounds }, (_, round) =>
    unknown.slice(round * perRound, (round + 1) * perRound),
  );
  const first = await measure(readers.access, peer, organisation, hypotheticalEntities);
  readers.close();
  return [
    {
      name: "check-access in process ÷ breadth-first search, 30 deep (times faster)",
      ...atLeast(5, again.ratio),
      ...again,
    },
    { name: "the same, each person for the first time in this process", ...atLeast(1, first.ratio), ...first },
  ];
}

async function measure(
  access: AccessReader,
  peer: BreadthFirst,
  { datasourceId }: Organisation,
  rounds: readonly (readonly Check[])[],
): Promise<Omit<Measurement, "name" | "target" | "met">> {
  const figures = { ours: [] as number[], peer: [] as number[] };
  for (const checks of rounds) {
    const started = performance.now();
    const answers: boolean[] = [];
    for (const check of checks) answers.push(await access.holdsAny(datasourceId, check.email, check.tokens));
    const between = performance.now();
    const expected = checks.map((check) => peer.isMember(check.email, check.groups));
    figures.ours.push(((between - started) * 1_000) / checks.length);
    figures.peer.push(((performance.now() - between) * 1_000) / checks.length);
    if (answers.some((answer, index) => answer !== expected[index]))
      throw new Error("The closure and the search disagree.");
  }
  const [ours, theirs] = [median(figures.ours), median(figures.peer)];
  return {
    ratio: theirs / ours,
    ours: `${ours.toFixed(1)} µs`,
    peer: `${theirs.toFixed(1)} µs`,
    rounds: rounds.length,
  };
}

/** Half of the documents name a group of the person, at any height; the others name any. */
function makeChecks(organisation: Organisation): readonly Check[] {
  const random = seededRandom(11);
  const below = (limit: number): number => Math.floor(random() * limit);
  const peer = new BreadthFirst(organisation);
  return organisation.people.map((_, person) => {
    const groups = Array.from({ length: groupsPerDocument }, () => below(organisation.groupIds.length));
    const own = peer.groupsOf(emailOf(person));
    if (person % 2 === 0) groups[below(groupsPerDocument)] = own[below(own.length)] as number;
    return {
      email: emailOf(person),
      groups: groups.map((index) => organisation.groupIds[index] as GroupId),
      tokens: groups.map((index) => tokens.group(organisation.datasourceId, groupName(index))),
    };
  });
}

/** What a service without a closure does at each question. */
class BreadthFirst {
  private readonly direct = new Map<Email, readonly GroupId[]>();
  private readonly above = new Map<GroupId, GroupId[]>();
  private readonly indexes: ReadonlyMap<GroupId, number>;

  constructor({ groupIds, nestings, people }: Organisation) {
    this.indexes = new Map(groupIds.map((groupId, index) => [groupId, index]));
    for (const groupId of groupIds) this.above.set(groupId, []);
    for (const { member, group } of nestings)
      this.above.get(groupIds[member] as GroupId)?.push(groupIds[group] as GroupId);
    people.forEach((groups, person) =>
      this.direct.set(
        emailOf(person),
        groups.map((index) => groupIds[index] as GroupId),
      ),
    );
  }

  isMember(email: Email, wanted: readonly GroupId[]): boolean {
    const queue = [...(this.direct.get(email) ?? [])];
    const seen = new Set(queue);
    for (const group of queue) {
      if (wanted.includes(group)) return true;
      this.enqueue(group, queue, seen);
    }
    return false;
  }

  groupsOf(email: Email): readonly number[] {
    const queue = [...(this.direct.get(email) ?? [])];
    const seen = new Set(queue);
    for (const group of queue) this.enqueue(group, queue, seen);
    return queue.map((group) => this.indexes.get(group) ?? 0);
  }

  private enqueue(group: GroupId, queue: GroupId[], seen: Set<GroupId>): void {
    for (const next of this.above.get(group) ?? []) {
      if (seen.has(next)) continue;
      seen.add(next);
      queue.push(next);
    }
  }
}

interface Nesting {
  readonly member: number;
  readonly group: number;
}

/** Groups nested in levels, people in groups: the same for the same seed. */
export interface Organisation {
  readonly datasourceId: DatasourceId;
  readonly groupIds: readonly GroupId[];
  readonly nestings: readonly Nesting[];
  /** By person: indexes of direct groups. */
  readonly people: readonly (readonly number[])[];
}

interface OrganisationSize {
  readonly groups: number;
  readonly depth: number;
  readonly people: number;
  readonly groupsPerPerson: number;
}

/** One group in five belongs to a second group further up: that is where diamonds come from. */
const secondParents = 0.2;

/**
 * Groups stand on levels of equal size. Each but the topmost belongs to one group of the level above, every fifth to a
 * second one on any higher level. People belong to groups of the lowest third.
 */
export function makeOrganisation(
  seed: number,
  { groups, depth, people, groupsPerPerson }: OrganisationSize,
): Organisation {
  const random = seededRandom(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const perLevel = Math.ceil(groups / depth);
  const nestings = new Map<string, Nesting>();
  const nest = (member: number, group: number): void => void nestings.set(`${member} ${group}`, { member, group });
  for (let member = perLevel; member < groups; member++) {
    const level = Math.floor(member / perLevel);
    nest(member, (level - 1) * perLevel + below(perLevel));
    if (random() < secondParents) nest(member, below(level * perLevel));
  }
  const lowest = Math.floor((groups * 2) / 3);
  return {
    datasourceId: toDatasourceId("organisation"),
    groupIds: Array.from({ length: groups }, (_, index) => toGroupId(index.toString(16).padStart(20, "0"))),
    nestings: [...nestings.values()],
    people: Array.from({ length: people }, () => [
      ...new Set(Array.from({ length: groupsPerPerson }, () => lowest + below(groups - lowest))),
    ]),
  };
}

export const emailOf = (person: number): Email => toEmail(`person${person}@example.org`);
export const groupName = (index: number): string => `group-${index}`;

/** What a client pushes first: the datasource, groups, nestings, people. */
export function foundation({ datasourceId, groupIds, nestings, people }: Organisation): DomainEvent[] {
  const name = toDatasourceName("organisation");
  return [
    datasourceRegistered(datasourceId, name),
    ...groupIds.map((groupId, index): DomainEvent => ({
      type: "GroupCreated",
      data: { datasourceId, groupId, name: groupName(index) },
    })),
    ...nestings.map((nesting) => nested("MembershipAdded", { datasourceId, groupIds }, nesting)),
    ...people.map((_, person): DomainEvent => ({
      type: "UserRegistered",
      data: { datasourceId, email: emailOf(person), name: null },
    })),
  ];
}

/** A nesting that comes or goes. */
function nested(
  type: "MembershipAdded" | "MembershipRemoved",
  { datasourceId, groupIds }: Pick<Organisation, "datasourceId" | "groupIds">,
  { member, group }: Nesting,
): DomainEvent {
  const [memberId, groupId] = [groupIds[member] as GroupId, groupIds[group] as GroupId];
  return { type, data: { datasourceId, groupId, member: { kind: "group", groupId: memberId } } };
}

/** People's memberships, group by group: the order in which a client that mirrors a directory sends them. */
export function memberships({ datasourceId, groupIds, people }: Organisation): DomainEvent[] {
  const members = groupIds.map((): number[] => []);
  people.forEach((groups, person) => {
    for (const group of groups) members[group]?.push(person);
  });
  return members.flatMap((ofGroup, group) =>
    ofGroup.map((person): DomainEvent => ({
      type: "MembershipAdded",
      data: { datasourceId, groupId: groupIds[group] as GroupId, member: { kind: "user", email: emailOf(person) } },
    })),
  );
}

/**
 * The closure built from the log by the service's own loop, against the same subscription read to its end and dropped.
 */
async function measureRebuild(folder: string, organisation: Organisation, rounds: number): Promise<Measurement> {
  mkdirSync(folder, { recursive: true });
  const log = join(folder, "log.sqlite");
  const events = [...foundation(organisation), ...memberships(organisation)];
  const { length } = events;
  await recordLog(log, events);
  const source = openSqliteEventSource({ file: log });
  const figures = await interleave(
    rounds,
    () => rebuildOnce(source, join(folder, "rebuilt")),
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

async function rebuildOnce(source: EventSource, folder: string): Promise<number> {
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
