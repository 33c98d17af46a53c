import { join } from "node:path";

/** Paths of the files in a data folder. */
export interface DataFiles {
  /** Events and texts: the truth, and the only file to back up. */
  readonly log: string;
  /** Rebuildable from the log. */
  readonly search: string;
  /** Rebuildable from the log. */
  readonly readModels: string;
  /** Who may write to an engine that several processes share, where no Redis tells. Holds nothing that lasts. */
  readonly leases: string;
  /** What went wrong with projections of late, where no Redis tells. Holds nothing that lasts. */
  readonly troubles: string;
  /** Rebuildable from the log. */
  readonly permissionHistory: string;
}

/** The SQLite files of an embedded service. */
export const dataFiles = (dataDir: string): DataFiles => ({
  log: join(dataDir, "log.sqlite"),
  search: join(dataDir, "search.sqlite"),
  readModels: join(dataDir, "readModels.sqlite"),
  leases: join(dataDir, "leases.sqlite"),
  troubles: join(dataDir, "troubles.sqlite"),
  permissionHistory: join(dataDir, "permissionHistory.sqlite"),
});
