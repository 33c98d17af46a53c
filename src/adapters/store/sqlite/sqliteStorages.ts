import { existsSync } from "node:fs";
import type { CatalogueStore } from "../../../../projections/catalogue/ports.js";
import type { ErasureStore } from "../../../../projections/contentErasure/ports.js";
import type { CredentialChange } from "../../../../projections/credentials/changes.js";
import type { GroupClosureStore } from "../../../../projections/groupClosure/ports.js";
import type { ProjectionWriter } from "../../../../projections/ports.js";
import type { AccessReader, CatalogueReader, Checkpointed, CredentialReader } from "../../../../queries/ports.js";
import type { Storage } from "../../../daemon/ports.js";
import { firstVersion, type ProjectionName } from "../../../events/projection.js";
import { SharedOpenings } from "../../../shared/sharedOpenings.js";
import { openForWriting } from "../../sqlite/database.js";
import { identityOf } from "../../sqlite/fileIdentity.js";
import { removeDatabase, storedInFiles, versionFile, type VersionFiles } from "../../sqlite/versionFile.js";
import { dropSqliteReadModel, type EmptiedReadModel } from "./dropSqliteReadModel.js";
import { openSqliteReadModels, type SqliteReadModels } from "./openSqliteReadModels.js";
import { openSqliteReadModelStores, type ReadModelStores } from "./openSqliteReadModelStores.js";
import { readModelFile } from "./readModelSchema.js";

const firstFile = "readModels.sqlite";
/** What a rebuild of the group closure holds back: it commits every few seconds. */
const buildingLimits = { changes: 500_000, people: 100_000 };

/** Where the read models of access, catalogue and credentials, and the reaction that erases texts, lie. */
export interface StoreStorages {
  readonly groupClosure: Storage<GroupClosureStore, AccessReader>;
  readonly catalogue: Storage<CatalogueStore, CatalogueReader>;
  readonly credentials: Storage<ProjectionWriter<CredentialChange>, CredentialReader>;
  readonly contentErasure: Storage<ErasureStore, Checkpointed>;
}

/** A file and its identity: one that has been set aside and the one in its place are opened on their own. */
function placeOf(file: string): string {
  if (!existsSync(file)) openForWriting(readModelFile(file)).close();
  return `${identityOf(file)} ${file}`;
}

const fileAt = (place: string): string => place.slice(place.indexOf(" ") + 1);

/**
 * In SQLite: the first versions together in `readModels.sqlite`, each further one in a file of its own. What lies in
 * one file shares a connection.
 */
export function sqliteStorages({ dataDir }: { readonly dataDir: string }): StoreStorages {
  const readers = new SharedOpenings(
    async (place) => openSqliteReadModels({ file: fileAt(place) }),
    (opened) => opened.close(),
  );
  const served = new SharedOpenings(
    async (place) => openSqliteReadModelStores({ file: fileAt(place) }),
    (opened) => opened.close(),
  );
  const storageOf = <Store, Reader extends Checkpointed>(
    name: ProjectionName,
    storeOf: (stores: ReadModelStores) => Store,
    readerOf: (readModels: SqliteReadModels) => Reader,
    emptied: EmptiedReadModel | null,
  ): Storage<Store, Reader> => {
    const files: VersionFiles = { dataDir, name, first: firstFile };
    const fileOf = (version: number): string => versionFile(files, emptied === null ? firstVersion : version);
    return {
      placement: "shared",
      openReader: async (version) => {
        const { opened, release } = await readers.take(placeOf(fileOf(version)));
        return { reader: readerOf(opened), parked: opened.parked, counted: opened.counted, close: release };
      },
      openStores: async () => ({
        lease: null,
        buildingBatch: 1_000,
        open: async (version, _grant, building) => {
          const file = fileOf(version);
          if (building !== null) {
            const stores = openSqliteReadModelStores({ file, limits: buildingLimits });
            return { store: storeOf(stores), close: () => stores.close() };
          }
          const { opened, release } = await served.take(placeOf(file));
          return { store: storeOf(opened), close: release };
        },
        close: () => undefined,
      }),
      ...storedInFiles(name, fileOf),
      drop: async (version) => {
        const file = fileOf(version);
        if (version !== firstVersion) return removeDatabase(file);
        if (emptied !== null && existsSync(file)) await dropSqliteReadModel({ file, readModel: emptied });
      },
    };
  };
  return {
    groupClosure: storageOf(
      "groupClosure",
      (stores) => stores.groupClosure,
      ({ access }) => access,
      "groupClosure",
    ),
    catalogue: storageOf(
      "catalogue",
      (stores) => stores.catalogue,
      ({ catalogue }) => catalogue,
      "catalogue",
    ),
    credentials: storageOf(
      "credentials",
      (stores) => stores.credentials,
      ({ credentials }) => credentials,
      "credentials",
    ),
    contentErasure: storageOf(
      "contentErasure",
      (stores) => stores.contentErasure,
      ({ contentErasure }) => contentErasure,
      null,
    ),
  };
}
