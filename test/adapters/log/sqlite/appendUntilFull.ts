import { openSqliteEventLog } from "../../../../src/adapters/log/sqlite/openSqliteEventLog.js";
import { documentStream } from "../../../../src/events/streams.js";
import { toDatasourceId, toDocumentId } from "../../../../src/shared/ids.js";
import { ThreadWatch } from "../../../../src/shared/restartedWorker.js";
import { bob, newEvents } from "../../../contracts/eventLogFixtures.js";

/** Appends until that has failed three times. Prints the failures, and the threads that ended. */
const [file = ""] = process.argv.slice(2);
const ended: string[] = [];
const log = await openSqliteEventLog({ file, threads: new ThreadWatch((name) => ended.push(name)) });
const failures: string[] = [];
for (let revision = -1; failures.length < 3;) {
  const contents = [
    {
      stream: documentStream(toDatasourceId("1"), toDocumentId(`d${revision}`)),
      reference: { sha256: (revision + 2).toString(16).padStart(64, "0"), bytes: 1_000_000 },
      text: "x".repeat(1_000_000),
    },
  ];
  const expectedRevision = revision === -1 ? "noStream" : revision;
  await log.append({ stream: bob, expectedRevision, events: newEvents("x"), contents }).then(
    () => revision++,
    (error: Error) => failures.push(error.message),
  );
}
await log.close();
process.stdout.write(JSON.stringify({ failures, ended }));
