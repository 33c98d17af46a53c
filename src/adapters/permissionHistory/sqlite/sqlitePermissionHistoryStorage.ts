import type { PermissionHistoryStore } from "../../../../projections/permissionHistory/ports.js";
import type { Checkpointed } from "../../../../queries/ports.js";
import type { PermissionHistory } from "../../../audit/ports/permissionHistory.js";
import type { LogClock } from "../../../audit/ports/log.js";
import type { Removals } from "../../../audit/ports/removals.js";
import type { Storage } from "../../../daemon/ports.js";
import type { Position } from "../../../shared/position.js";
import { factsOfFile, removeDatabase, versionFile, type VersionFiles } from "../../sqlite/versionFile.js";
import { openSqliteHistoryClock } from "./openSqliteHistoryClock.js";
import { openSqlitePermissionHistory } from "./openSqlitePermissionHistory.js";
import { openSqlitePermissionHistoryStore } from "./openSqlitePermissionHistoryStore.js";
import { openSqliteRemovals } from "./openSqliteRemovals.js";
import { permissionHistoryProjection } from "./permissionHistorySchema.js";
import { readHistoryPosition } from "./readHistoryPosition.js";

/** What is read of a version in this thread. */
export interface SqliteHistoryReader extends Checkpointed {
  readonly file: string;
  readonly clock: LogClock & Checkpointed;
  /** Opened when it is needed first. */
  history(): PermissionHistory;
  removals(): Removals;
}

export interface SqliteHistoryStorageOptions {
  readonly dataDir: string;
  /** Where the log ends now. */
  logHead(): Promise<Position>;
  /** How long a question waits for the history to come as far as it asks. */
  readonly patienceMs: number;
}

/** The permission history: in the data folder of each process that keeps one, whatever the other engines are. */
export function sqlitePermissionHistoryStorage({
  dataDir,
  logHead,
  patienceMs,
}: SqliteHistoryStorageOptions): Storage<PermissionHistoryStore, SqliteHistoryReader> {
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
      let history: ReturnType<typeof openSqlitePermissionHistory> | null = null;
      let removals: ReturnType<typeof openSqliteRemovals> | null = null;
      return {
        reader: {
          ...{ file, clock },
          position: () => clock.position(),
          reached: (position, timeoutMs) => clock.reached(position, timeoutMs),
          history: () => (history ??= openSqlitePermissionHistory({ file })),
          removals: () => (removals ??= openSqliteRemovals({ file })),
        },
        parked: { list: () => clock.parked() },
        counted: { counts: async () => ({}) },
        close: () => {
          history?.close();
          removals?.close();
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
    facts: (version) => factsOfFile(versionFile(files, version), permissionHistoryProjection),
    drop: (version) => removeDatabase(versionFile(files, version)),
  };
}
