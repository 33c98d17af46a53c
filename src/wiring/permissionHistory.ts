import { setImmediate as nextTurn } from "node:timers/promises";
import type { PermissionHistoryStore } from "../../projections/permissionHistory/ports.js";
import type { QueryFailure } from "../../queries/queries.js";
import {
  sqlitePermissionHistoryStorage,
  type SqliteHistoryReader,
  type SqliteHistoryStorageOptions,
} from "../adapters/permissionHistory/sqlite/sqlitePermissionHistoryStorage.js";
import { ThreadClient } from "../adapters/threads/threadClient.js";
import { BulkRemovals } from "../audit/removals/bulkRemovals.js";
import type { HistoryPage, HistoryPageRequest } from "../audit/asOf/historyPages.js";
import type { Storage } from "../daemon/ports.js";
import type { BulkRemoval } from "../readModels/projectionStatus.js";
import type { Result } from "../shared/result.js";

/** One version of the permission history, as a question uses it from beginning to end. */
export interface PermissionHistoryReader extends SqliteHistoryReader {
  /** Makes a page of an answer, in a thread that starts when it is needed first: a long one holds up nothing else. */
  page(request: HistoryPageRequest): Promise<Result<HistoryPage, QueryFailure>>;
  bulkRemovals(): Promise<readonly BulkRemoval[]>;
}

/** The permission history with a thread for long answers. */
export function permissionHistoryStorage(
  options: SqliteHistoryStorageOptions,
): Storage<PermissionHistoryStore, PermissionHistoryReader> {
  const storage = sqlitePermissionHistoryStorage(options);
  return {
    ...storage,
    openReader: async (version) => {
      const { reader, close, ...opened } = await storage.openReader(version);
      let thread: ThreadClient | null = null;
      let removals: BulkRemovals | null = null;
      return {
        ...opened,
        reader: {
          ...reader,
          page: (request) => {
            thread ??= new ThreadClient(new URL("./permissionHistoryThread.js", import.meta.url), {
              name: "permission history",
              workerData: { file: reader.file },
            });
            return thread.call("page", request);
          },
          bulkRemovals: () => {
            removals ??= new BulkRemovals(
              reader.removals(),
              () => Date.now(),
              () => nextTurn(),
            );
            return removals.list();
          },
        },
        close: async () => {
          await thread?.close();
          await close();
        },
      };
    },
  };
}
