import { randomUUID } from "node:crypto";
import type { AppendOutcome } from "../../commands/ports.js";
import { openSqliteEventLog } from "../../src/adapters/log/sqlite/openSqliteEventLog.js";
import type { DomainEvent, EventMetadata } from "../../src/events/domainEvent.js";
import { datasourceStream, groupGraphStream, userStream, type StreamName } from "../../src/events/streams.js";
import { toCredentialId } from "../../src/shared/ids.js";
import { untilAppended } from "../untilAppended.js";

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
