import { rm } from "node:fs/promises";
import { join } from "node:path";
import { openSqliteContents } from "../../../../src/adapters/log/sqlite/openSqliteContents.js";
import { openSqliteEventLog } from "../../../../src/adapters/log/sqlite/openSqliteEventLog.js";
import { openSqliteEventSource } from "../../../../src/adapters/log/sqlite/openSqliteEventSource.js";
import type { Upcasters } from "../../../../src/events/upcasters.js";
import type { EventLogUnderTest } from "../../../contracts/eventLogFixtures.js";
import { temporaryFolder } from "../../../support/temporaryFolder.js";

/** A new folder for a log; whoever asks for it removes it. */
export const newFolder = (): string => temporaryFolder("event-log").path;

export const logFileIn = (folder: string): string => join(folder, "log.sqlite");

/** The embedded log of a folder, its parts opened as the service opens them. `close` keeps the folder. */
export async function openLogIn(folder: string, upcasters?: Upcasters): Promise<EventLogUnderTest> {
  const file = logFileIn(folder);
  const log = await openSqliteEventLog({ file, upcasters });
  const source = openSqliteEventSource({ file, upcasters });
  const contents = openSqliteContents({ file });
  const close = async (): Promise<void> => {
    source.close();
    await contents.close();
    await log.close();
  };
  const reopen = async (): Promise<EventLogUnderTest> => {
    await close();
    return openLogIn(folder, upcasters);
  };
  return { log, source, contents, reopen, close };
}

/** The embedded log in a new folder that `close` removes. */
export async function openTemporaryLog(): Promise<EventLogUnderTest> {
  const folder = newFolder();
  return removing(await openLogIn(folder), folder);
}

/** As it is, but `close` removes the folder as well. */
export const removing = (under: EventLogUnderTest, folder: string): EventLogUnderTest => ({
  ...under,
  reopen: async () => removing(await under.reopen(), folder),
  close: async () => {
    await under.close();
    await rm(folder, { recursive: true });
  },
});
