import type { EventSource } from "../../projections/ports.js";
import type { HistoryPage, HistoryPageRequest } from "../../queries/audit/historyPages.js";
import type { LogClock } from "../../queries/audit/ports.js";
import type { Projected } from "../../queries/ports.js";
import type { QueryFailure } from "../../queries/queries.js";
import { openSqliteHistoryClock } from "../adapters/permissionHistory/sqlite/openSqliteHistoryClock.js";
import { ThreadClient } from "../adapters/threads/threadClient.js";
import type { Config } from "../config.js";
import type { Result } from "../shared/result.js";
import { dataFiles } from "./dataFiles.js";

/** What answers about the past rest on. */
export interface PermissionHistoryReader {
  readonly clock: LogClock & Projected;
  /** How long a question waits for the history to come as far as it asks. */
  readonly patienceMs: number;
  /** Makes a page of an answer, in a thread that starts when it is needed first, so that a long one holds up nothing else. */
  page(request: HistoryPageRequest): Promise<Result<HistoryPage, QueryFailure>>;
  close(): Promise<void>;
}

/** Opens the permission history for questions; creates the file where no projection has yet. */
export function openPermissionHistoryReader(config: Pick<Config, "dataDir" | "consistencyTimeoutMs">, source: EventSource): PermissionHistoryReader {
  const { permissionHistory: file } = dataFiles(config.dataDir);
  const clock = openSqliteHistoryClock({ file, logHead: () => source.head(), patienceMs: config.consistencyTimeoutMs });
  let thread: ThreadClient | null = null;
  const start = (): ThreadClient => new ThreadClient(new URL("./permissionHistoryThread.js", import.meta.url), { name: "permission history", workerData: { file } });
  return {
    clock,
    patienceMs: config.consistencyTimeoutMs,
    page: (request) => (thread ??= start()).call("page", request),
    close: async () => {
      await thread?.close();
      clock.close();
    },
  };
}

/** The same, for a program beside which nobody may be projecting: the first question waits until `catchUp` has done so. */
export function caughtUpFirst(reader: PermissionHistoryReader, catchUp: () => Promise<void>): PermissionHistoryReader {
  const { clock } = reader;
  let catchingUp: Promise<void> | null = null;
  const first = (): Promise<void> => (catchingUp ??= catchUp());
  return {
    ...reader,
    clock: {
      position: () => clock.position(),
      reached: (position, timeoutMs) => first().then(() => clock.reached(position, timeoutMs)),
      positionAt: (time) => first().then(() => clock.positionAt(time)),
      timeAt: (position) => first().then(() => clock.timeAt(position)),
    },
  };
}
