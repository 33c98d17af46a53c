import type { Commands } from "../../commands/commands.js";
import { createCommands } from "../../commands/createCommands.js";
import type { FoldGroupGraph } from "../../commands/group/foldGroupGraph.js";
import type { EventSource } from "../../projections/ports.js";
import type { LogReader } from "../../queries/audit/ports.js";
import { openLogForCommands, type EventLogConfig } from "./eventLogEngine.js";

/** What the write side needs to know of the settings. */
export interface WriteSideConfig extends EventLogConfig {
  readonly productName: string;
}

/** Commands, and the log that they append to. */
export interface WriteSide {
  readonly commands: Commands;
  readonly foldGroupGraph: FoldGroupGraph;
  readonly source: EventSource;
  /** The same log, to be read alone. */
  readonly streams: LogReader;
  close(): Promise<void>;
}

/** Opens the log, creating it where it is missing. */
export async function openWriteSide(config: WriteSideConfig): Promise<WriteSide> {
  const { log, source, close } = await openLogForCommands(config);
  const { foldGroupGraph, ...commands } = createCommands({ log, productName: config.productName, now: () => new Date() });
  const streams: LogReader = { readStream: (stream, fromRevision, maxCount) => log.readStream(stream, fromRevision, maxCount), head: () => source.head() };
  return { commands, foldGroupGraph, source, streams, close };
}
