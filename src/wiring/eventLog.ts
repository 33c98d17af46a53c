import { join } from "node:path";
import type { EventLog, UnclaimedTexts } from "../../commands/ports.js";
import type { ContentReader, EventSource } from "../../projections/ports.js";
import { openSqliteContents } from "../adapters/log/sqlite/openSqliteContents.js";
import { openSqliteEventLog } from "../adapters/log/sqlite/openSqliteEventLog.js";
import { openSqliteEventSource } from "../adapters/log/sqlite/openSqliteEventSource.js";
import type { Config } from "../config.js";
import { prefixWithSetting } from "../shared/prefixWithSetting.js";
import type { ProjectedLog } from "../daemon/projectGroup.js";
import { disposeOnFailure } from "../shared/asyncDisposableStack.js";

/** What the event log needs to know of the settings. */
export type EventLogConfig = Pick<Config, "dataDir" | "namespace" | "eventStoreUrl">;

/** The log as commands see it, and its end as everybody does. */
export interface LogForCommands {
  readonly log: EventLog;
  readonly source: EventSource;
  readonly texts: ContentReader;
  /** Null where a text and its event are written in one transaction. */
  readonly unclaimedTexts: UnclaimedTexts | null;
  close(): Promise<void>;
}

/** Events and texts: the truth, and the only file to back up. */
const logFile = (dataDir: string): string => join(dataDir, "log.sqlite");

/** Opens the log, creating it where it is missing. */
export function openLogForCommands({
  dataDir,
  namespace,
  eventStoreUrl: url,
}: EventLogConfig): Promise<LogForCommands> {
  return disposeOnFailure(async (parts) => {
    const close = (): Promise<void> => parts.disposeAsync();
    if (url === null) {
      const file = logFile(dataDir);
      const log = parts.adopt(await openSqliteEventLog({ file }), (part) => part.close());
      const source = parts.adopt(openSqliteEventSource({ file }), (part) => part.close());
      return { log, source, texts: log.texts, unclaimedTexts: null, close };
    }
    const { openEventStoreContents, openEventStoreEventLog, openEventStoreEventSource, openEventStoreUnclaimedTexts } =
      await import("./eventStoreAdapters.js");
    const log = parts.adopt(
      await prefixWithSetting("EVENTSTORE_URL", openEventStoreEventLog({ url, namespace })),
      (part) => part.close(),
    );
    const source = parts.adopt(openEventStoreEventSource({ url, namespace }), (part) => part.close());
    const texts = parts.adopt(openEventStoreContents({ url, namespace }), (part) => part.close());
    const unclaimedTexts = parts.adopt(openEventStoreUnclaimedTexts({ url, namespace }), (part) => part.close());
    return { log, source, texts, unclaimedTexts, close };
  });
}

/** Opens the log for the projections of one thread. */
export async function openLogForProjections({
  dataDir,
  namespace,
  eventStoreUrl: url,
}: EventLogConfig): Promise<ProjectedLog> {
  if (url === null) {
    const file = logFile(dataDir);
    const contents = openSqliteContents({ file });
    return {
      source: (reading = {}) => openSqliteEventSource({ file, ...reading }),
      contents,
      close: async () => contents.close(),
    };
  }
  const { openEventStoreContents, openEventStoreEventSource } = await import("./eventStoreAdapters.js");
  const contents = openEventStoreContents({ url, namespace });
  return {
    source: (reading = {}) => openEventStoreEventSource({ url, namespace, ...reading }),
    contents,
    close: async () => contents.close(),
  };
}
