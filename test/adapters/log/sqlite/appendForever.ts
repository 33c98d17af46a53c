import { writeSync } from "node:fs";
import { openSqliteEventLog } from "../../../../src/adapters/log/sqlite/openSqliteEventLog.js";
import { toDatasourceId } from "../../../../src/shared/ids.js";
import { newContent, newEvent } from "../../../contracts/eventLogFixtures.js";

/**
 * A process that appends documents with their texts to several streams until it is killed. What was acknowledged it
 * says on standard output, a line `{stream} {revision} {event id}` each, before it asks for the stream's next append.
 */
const [, , file = "", writers = ""] = process.argv;
const log = await openSqliteEventLog({ file });
for (let writer = 0; writer < Number(writers); writer++) void appendForever(`doc-${writer}`);

async function appendForever(documentId: string): Promise<never> {
  const datasource = toDatasourceId("killed");
  for (;;) {
    const event = newEvent();
    const content = newContent(`text of ${event.id} `.repeat(40), documentId, datasource);
    const { stream } = content;
    const expectedRevision = (await log.readLast(stream))?.revision ?? "noStream";
    const outcome = await log.append({ stream, expectedRevision, events: [event], contents: [content] });
    if (outcome.kind !== "appended") throw new Error(`${stream} is not at ${expectedRevision}`);
    writeSync(1, `${stream} ${outcome.revision} ${event.id}\n`);
  }
}
