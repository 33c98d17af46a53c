import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteContents } from "../../../../src/adapters/eventLog/sqlite/openSqliteContents.js";
import { openSqliteEventLog } from "../../../../src/adapters/eventLog/sqlite/openSqliteEventLog.js";
import { openSqliteEventSource } from "../../../../src/adapters/eventLog/sqlite/openSqliteEventSource.js";
import type { EventLogUnderTest } from "../../../contracts/eventLogFixtures.js";

export interface SqliteLogUnderTest extends EventLogUnderTest {
  readonly file: string;
}

/** The embedded log in a new folder that `close` removes. */
export async function openTemporaryLog(): Promise<SqliteLogUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), "event-log-"));
  return openLogIn(folder);
}

async function openLogIn(folder: string): Promise<SqliteLogUnderTest> {
  const file = join(folder, "log.sqlite");
  const log = await openSqliteEventLog({ file });
  const source = openSqliteEventSource({ file });
  const contents = openSqliteContents({ file });
  const closeAll = async (): Promise<void> => {
    source.close();
    await contents.close();
    await log.close();
  };
  return {
    file,
    log,
    source,
    contents,
    reopen: async () => {
      await closeAll();
      return openLogIn(folder);
    },
    close: async () => {
      await closeAll();
      await rm(folder, { recursive: true });
    },
  };
}
