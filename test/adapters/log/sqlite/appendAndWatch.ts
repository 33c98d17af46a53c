import { writeSync } from "node:fs";
import { openSqliteEventLog } from "../../../../src/adapters/log/sqlite/openSqliteEventLog.js";
import { openSqliteEventSource } from "../../../../src/adapters/log/sqlite/openSqliteEventSource.js";
import { groupGraphStream, userStream, type StreamName } from "../../../../src/events/streams.js";
import { toDatasourceId, toEmail } from "../../../../src/shared/ids.js";
import { batchesUntil, eventsOf, newEvents } from "../../../contracts/eventLogFixtures.js";

/**
 * One of several processes on one log. It appends to streams of its own and to one that all of them append to, and
 * watches meanwhile. Once it has seen what all of them append, it writes what it did and saw as JSON and ends.
 */
const [, , file = "", name = "", own = "", shared = "", total = ""] = process.argv;
const log = await openSqliteEventLog({ file });
const source = openSqliteEventSource({ file });
const datasourceId = toDatasourceId("shared");
const appended: string[] = [];

const watching = batchesUntil(source, (batches) => eventsOf(batches).length >= Number(total), { maxBatchSize: 50 });
await Promise.all([
  ...Array.from({ length: 4 }, (_, writer) =>
    append(userStream(datasourceId, toEmail(`${name}-${writer}`)), Number(own) / 4),
  ),
  append(groupGraphStream(datasourceId), Number(shared)),
]);
const seen = eventsOf(await watching).map(
  ({ position, stream, revision, id }) => `${position} ${stream} ${revision} ${id}`,
);
source.close();
await log.close();
writeSync(1, JSON.stringify({ appended, seen }));

async function append(stream: StreamName, count: number): Promise<void> {
  for (let remaining = count; remaining > 0;) {
    const events = newEvents(name);
    const expectedRevision = (await log.readLast(stream))?.revision ?? "noStream";
    const outcome = await log.append({ stream, expectedRevision, events });
    if (outcome.kind !== "appended") continue;
    appended.push(`${outcome.position} ${stream} ${outcome.revision} ${events[0]?.id}`);
    remaining--;
  }
}
