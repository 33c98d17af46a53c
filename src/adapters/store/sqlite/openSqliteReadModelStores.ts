import type { CatalogueStore } from "../../../../projections/catalogue/ports.js";
import type { ErasureStore } from "../../../../projections/contentErasure/ports.js";
import type { CredentialChange } from "../../../../projections/credentials/changes.js";
import type { GroupClosureStore, HoldingLimits } from "../../../../projections/groupClosure/ports.js";
import type { ProjectionWriter } from "../../../../projections/ports.js";
import { ChangeSignal } from "../../sqlite/changeSignal.js";
import { openForWriting } from "../../sqlite/database.js";
import { SqliteCatalogueStore } from "./catalogueStore.js";
import { SqliteCredentialWriter } from "./credentialWriter.js";
import { SqliteErasureStore } from "./erasureStore.js";
import { SqliteGroupClosureStore } from "./groupClosureStore.js";
import { readModelFile } from "./readModelSchema.js";

export interface ReadModelStores {
  readonly groupClosure: GroupClosureStore;
  readonly catalogue: CatalogueStore;
  readonly credentials: ProjectionWriter<CredentialChange>;
  readonly contentErasure: ErasureStore;
}

export interface ReadModelStoresOptions {
  readonly file: string;
  /** What a catch-up of the group closure holds back; the writer's own default serves. */
  readonly limits?: HoldingLimits;
}

/** A rebuild touches a million people at random: their rows should not be read from the file each time. */
const cacheKiB = 64 * 1024;
/** 32 MiB: copying the WAL back syncs the disk, and that should not happen to one change in a hundred. */
const checkpointPages = 8_192;

/**
 * Opens `readModels.sqlite` for projecting, and creates it where it is missing. For the projections' thread, not the
 * main thread.
 */
export function openSqliteReadModelStores({
  file,
  limits,
}: ReadModelStoresOptions): ReadModelStores & { close(): void } {
  const database = openForWriting(readModelFile(file));
  database.pragma(`cache_size = ${-cacheKiB}`);
  database.pragma(`wal_autocheckpoint = ${checkpointPages}`);
  const changed = new ChangeSignal(file);
  return {
    groupClosure: new SqliteGroupClosureStore(database, changed, limits),
    catalogue: new SqliteCatalogueStore(database, changed),
    credentials: new SqliteCredentialWriter(database, changed),
    contentErasure: new SqliteErasureStore(database),
    close() {
      changed.close();
      database.close();
    },
  };
}
