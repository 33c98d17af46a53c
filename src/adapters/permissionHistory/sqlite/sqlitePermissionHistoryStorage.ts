import { existsSync } from "node:fs";
import Database from "better-sqlite3";
import type { PermissionHistoryStore } from "../../../../projections/permissionHistory/ports.js";
import type { PermissionHistoryReader } from "../../../audit/ports/permissionHistoryReader.js";
import type { Storage } from "../../../daemon/ports.js";
import { type Position, beginning } from "../../../shared/position.js";
import { ThreadWatch } from "../../../shared/restartedWorker.js";
import { removeDatabase, storedInFiles, versionFile, type VersionFiles } from "../../sqlite/versionFile.js";
import { ThreadClient } from "../../threads/threadClient.js";
import { openSqliteHistoryClock } from "./openSqliteHistoryClock.js";
import { openSqlitePermissionHistory } from "./openSqlitePermissionHistory.js";
import { openSqlitePermissionHistoryStore } from "./openSqlitePermissionHistoryStore.js";
import { openSqliteInventory } from "./openSqliteInventory.js";
import { openSqliteRemovals } from "./openSqliteRemovals.js";
import { permissionHistoryProjection, permissionHistoryFile } from "./permissionHistorySchema.js";
import { isDamage } from "../../../shared/failures.js";
import { Checkpoints } from "../../sqlite/checkpoints.js";

interface SqliteHistoryStorageOptions {
  readonly dataDir: string;
  /** Where the log ends now. */
  logHead(): Promise<Position>;
  /** How long a question waits for the history to come as far as it asks. */
  readonly patienceMs: number;
  /** Called where the thread of wider questions ends, and when it is back. */
  readonly threads?: ThreadWatch;
}

/** The permission history: in the data folder of each process that keeps one, whatever the other engines are. */
export function sqlitePermissionHistoryStorage({
  dataDir,
  logHead,
  patienceMs,
  threads = new ThreadWatch(),
}: SqliteHistoryStorageOptions): Storage<PermissionHistoryStore, PermissionHistoryReader> {
  const files: VersionFiles = { dataDir, name: permissionHistoryProjection, first: "permissionHistory.sqlite" };
  return {
    placement: {
      positionOf: (version) => readHistoryPosition(versionFile(files, version)),
      elsewhere:
        "With Redis each process that answers requests keeps a permission history of its own, and this one only projects. Ask one of those.",
    },
    openReader: async (version) => {
      const file = versionFile(files, version);
      const clock = openSqliteHistoryClock({ file, logHead, patienceMs });
      let thread: ThreadClient | null = null;
      let history: ReturnType<typeof openSqlitePermissionHistory> | null = null;
      const inThread = <Answer>(method: string, request: unknown): Promise<Answer> => {
        thread ??= new ThreadClient(
          new URL("./permissionHistoryThread.js", import.meta.url),
          { name: "permission history", workerData: { file } },
          threads,
        );
        return thread.call(method, request);
      };
      let removals: ReturnType<typeof openSqliteRemovals> | null = null;
      let inventory: ReturnType<typeof openSqliteInventory> | null = null;
      return {
        reader: {
          clock,
          position: () => clock.position(),
          reached: (position, timeoutMs) => clock.reached(position, timeoutMs),
          page: (request) => inThread("page", request),
          findSubjects: (search) => inThread("findSubjects", search),
          counts: () => inThread("counts", null),
          history: () => (history ??= openSqlitePermissionHistory({ file })),
          inventory: () => (inventory ??= openSqliteInventory({ file })),
          removals: () => (removals ??= openSqliteRemovals({ file })),
        },
        parked: { list: () => clock.parked() },
        counted: { counts: async () => ({}) },
        close: async () => {
          await thread?.close();
          history?.close();
          removals?.close();
          inventory?.close();
          clock.close();
        },
      };
    },
    openStores: async () => ({
      lease: null,
      buildingBatch: 1_000,
      open: async (version) => {
        const store = openSqlitePermissionHistoryStore({ file: versionFile(files, version) });
        return { store, close: () => store.close() };
      },
      close: () => undefined,
    }),
    ...storedInFiles(permissionHistoryProjection, (version) => versionFile(files, version)),
    drop: (version) => removeDatabase(versionFile(files, version)),
  };
}

const busyTimeoutMs = 1_000;

/**
 * How far a permission history has come, without creating it; null where there is none, or none that this program can
 * read, as one that is damaged.
 */
function readHistoryPosition(file: string): Position | null {
  if (!existsSync(file)) return null;
  const database = new Database(file, { readonly: true, timeout: busyTimeoutMs });
  try {
    const found = database.pragma("user_version", { simple: true });
    if (found === 0) return beginning;
    return found === permissionHistoryFile(file).schema.version
      ? new Checkpoints(database, permissionHistoryProjection).read()
      : null;
  } catch (error) {
    if (isDamage(error)) return null;
    throw error;
  } finally {
    database.close();
  }
}
