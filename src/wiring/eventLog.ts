import { sqliteLog } from "../adapters/log/sqlite/sqliteLog.js";
import type { Config } from "../config.js";
import type { LogEngine } from "../daemon/ports.js";
import type { ThreadWatch } from "../shared/restartedWorker.js";

/** What the event log needs to know of the settings. */
export type LogConfig = Pick<Config, "dataDir" | "namespace" | "eventStoreUrl">;

/**
 * Events and texts, in the engine that a setting names for them. Nothing is opened yet. `threads` is told of its own.
 */
export async function logEngine(
  { dataDir, namespace, eventStoreUrl: url }: LogConfig,
  threads?: ThreadWatch,
): Promise<LogEngine> {
  if (url === null) return sqliteLog({ dataDir, threads });
  const { eventStoreLog } = await import("../adapters/log/eventstoredb/eventStoreLog.js");
  return eventStoreLog({ url, namespace });
}
