import type { Commands } from "../../commands/commands.js";
import { createCommands } from "../../commands/createCommands.js";
import type { EventSource } from "../../projections/ports.js";
import { openSqliteEventLog } from "../adapters/eventLog/sqlite/openSqliteEventLog.js";
import { openSqliteEventSource } from "../adapters/eventLog/sqlite/openSqliteEventSource.js";
import { dataFiles } from "./dataFiles.js";

/** What the write side needs to know of the settings. */
export interface WriteSideConfig {
  readonly dataDir: string;
  readonly productName: string;
}

/** Commands, and the log that they append to. */
export interface WriteSide {
  readonly commands: Commands;
  readonly source: EventSource;
  close(): Promise<void>;
}

/** Opens the log of a data folder, creating it where it is missing. */
export async function openWriteSide(config: WriteSideConfig): Promise<WriteSide> {
  const { log: file } = dataFiles(config.dataDir);
  const log = await openSqliteEventLog({ file });
  const source = openSqliteEventSource({ file });
  return {
    commands: createCommands({ log, productName: config.productName, now: () => new Date() }),
    source,
    close: async () => {
      source.close();
      await log.close();
    },
  };
}
