import type { EventLog } from "../../commands/ports.js";
import type { ContentEraser, ContentReader, EventSource } from "../../projections/ports.js";
import { openSqliteContents } from "../adapters/eventLog/sqlite/openSqliteContents.js";
import { openSqliteEventLog } from "../adapters/eventLog/sqlite/openSqliteEventLog.js";
import { openSqliteEventSource } from "../adapters/eventLog/sqlite/openSqliteEventSource.js";
import type { Config } from "../config.js";
import { dataFiles } from "./dataFiles.js";
import { OpenParts } from "./openParts.js";

/** What the event log needs to know of the settings. */
export type EventLogConfig = Pick<Config, "dataDir">;

/** The log as commands see it, and its end as everybody does. */
export interface LogForCommands {
  readonly log: EventLog;
  readonly source: EventSource;
  close(): Promise<void>;
}

/** The log as projections see it. */
export interface LogForProjections {
  /** `gathers`: no answer waits for what is delivered here, so a busy log's events may gather a little. */
  source(reading?: { readonly gathers?: boolean }): EventSource;
  readonly contents: ContentReader & ContentEraser;
  close(): Promise<void>;
}

/** Opens the log, creating it where it is missing. */
export function openLogForCommands(config: EventLogConfig): Promise<LogForCommands> {
  return OpenParts.orRelease(async (parts) => {
    const { log: file } = dataFiles(config.dataDir);
    const log = parts.add(await openSqliteEventLog({ file }), (part) => part.close());
    const source = parts.add(openSqliteEventSource({ file }), (part) => part.close());
    return { log, source, close: () => parts.release() };
  });
}

/** Opens the log for the projections of one thread. */
export async function openLogForProjections(config: EventLogConfig): Promise<LogForProjections> {
  const { log: file } = dataFiles(config.dataDir);
  const parts = new OpenParts();
  const contents = parts.add(openSqliteContents({ file }), (part) => part.close());
  return {
    source: (reading = {}) => parts.add(openSqliteEventSource({ file, ...reading }), (part) => part.close()),
    contents,
    close: () => parts.release(),
  };
}
