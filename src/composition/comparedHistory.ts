import type { EventSource } from "../../projections/ports.js";
import type { ComparedHistory } from "../operations/verify/history/comparison.js";
import { openSqliteHistoryClock } from "../adapters/permissionHistory/sqlite/openSqliteHistoryClock.js";
import { openSqlitePermissionHistory } from "../adapters/permissionHistory/sqlite/openSqlitePermissionHistory.js";
import { historyFile } from "./localHistory.js";

/** Of the clock alone, which is asked for no more than the history has come to. */
const patienceMs = 1_000;

/** A version of the permission history for who compares it, in this thread. */
export function openComparedHistory(
  dataDir: string,
  version: number,
  source: EventSource,
): ComparedHistory & { close(): void } {
  const file = historyFile(dataDir, version);
  const history = openSqlitePermissionHistory({ file });
  const clock = openSqliteHistoryClock({ file, logHead: () => source.head(), patienceMs });
  return {
    history,
    clock,
    close: () => {
      history.close();
      clock.close();
    },
  };
}
