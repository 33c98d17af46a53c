import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EventLog } from "../commands/ports.js";
import { logEngine } from "../src/wiring/eventLog.js";
import { readConfig } from "../src/config.js";
import type { DomainEvent } from "../src/events/domainEvent.js";
import { datasourceStream, groupGraphStream, type StreamName } from "../src/events/streams.js";
import { toDatasourceId, toDatasourceName, toGroupId } from "../src/shared/ids.js";
import { atMost, timed, type Measurement } from "./measure.js";
import { startServiceProcess, type ServiceProcess, datasourceRegistered } from "./processes.js";

const graphEvents = 500_000;
const eventsPerAppend = 500;
const allowedMs = 2_000;
const name = toDatasourceName("cold");
const datasourceId = toDatasourceId("coldcoldcoldcoldcold");

/** What the first command on a large group graph costs a process that has just become ready. */
export async function measureColdReplica(
  _rounds: number,
  report: (line: string) => void,
): Promise<readonly Measurement[]> {
  const folder = await mkdtemp(join(tmpdir(), "enterprise-search-bench-"));
  const settings = { DATA_DIR: folder, NAMESPACE: `bench-${randomUUID()}` };
  try {
    report(`writing ${graphEvents.toLocaleString("en")} events of one group graph`);
    await writeGraph(settings);
    report("projecting them");
    await (await startServiceProcess(settings)).stop();
    report("starting a cold replica");
    const startedAt = performance.now();
    const service = await startServiceProcess(settings);
    const readyMs = performance.now() - startedAt;
    const firstMs = await timed(() => createGroup(service));
    await service.stop();
    return [
      {
        name: `the first command of a cold replica on a group graph of ${graphEvents.toLocaleString("en")} events ÷ the ${allowedMs} ms that it may take`,
        ...atMost(1, firstMs / allowedMs),
        ours: `${firstMs.toFixed(0)} ms (ready, with a first credential, after ${(readyMs / 1_000).toFixed(1)} s)`,
        peer: `${allowedMs} ms`,
        rounds: 1,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function writeGraph(settings: NodeJS.ProcessEnv): Promise<void> {
  const config = readConfig({ ...process.env, ...settings });
  if (!config.ok) throw new Error(config.error.join("\n"));
  const { log, close } = await (await logEngine(config.value)).openForCommands();
  await append(log, datasourceStream(name), 0, [datasourceRegistered(datasourceId, name)]);
  for (let from = 0; from < graphEvents; from += eventsPerAppend) {
    const events = Array.from({ length: eventsPerAppend }, (_, index) => graphEvent(from + index));
    await append(log, groupGraphStream(datasourceId), from, events);
  }
  await close();
}

/** Two groups, then the second within the first: a third of the events are nestings. */
function graphEvent(index: number): DomainEvent {
  const first = index - (index % 3);
  if (index % 3 < 2)
    return { type: "GroupCreated", data: { datasourceId, groupId: toGroupId(`g${index}`), name: `group-${index}` } };
  const member = { kind: "group", groupId: toGroupId(`g${first + 1}`) } as const;
  return { type: "MembershipAdded", data: { datasourceId, groupId: toGroupId(`g${first}`), member } };
}

async function append(log: EventLog, stream: StreamName, from: number, events: readonly DomainEvent[]): Promise<void> {
  const metadata = {
    at: "2026-01-01T00:00:00.000Z",
    by: "operator",
    correlationId: "bench",
    causationId: "bench",
  } as const;
  const outcome = await log.append({
    stream,
    expectedRevision: from === 0 ? "noStream" : from - 1,
    events: events.map((event) => ({ id: randomUUID(), event, metadata })),
  });
  if (outcome.kind !== "appended") throw new Error(`The stream ${stream} is not at ${from}.`);
}

async function createGroup({ url, serviceAccount }: ServiceProcess): Promise<void> {
  const answer = await fetch(`${url}/api/indexing/groups`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${serviceAccount}` },
    body: JSON.stringify({ datasource: name, group: { name: "newest" } }),
  });
  if (!answer.ok) throw new Error(`The first command was answered with ${answer.status}: ${await answer.text()}`);
}
