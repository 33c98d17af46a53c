import type { ParkedEvents, ProjectionWriter } from "../../../../projections/ports.js";
import type {
  AccessReader,
  CatalogueReader,
  Checkpointed,
  Counted,
  CredentialReader,
} from "../../../../queries/ports.js";
import { parkedEventsIn, Checkpoints } from "../../sqlite/checkpoints.js";
import { SqliteAccessReader } from "./accessReader.js";
import { SqliteCredentialReader } from "./credentialReader.js";
import { ReadModelConnection } from "./readModelConnection.js";
import type { Datasource } from "../../../events/datasource.js";
import { readStoredDatasource } from "../../../readModels/storedDatasource.js";
import type { DatasourceName, DatasourceId } from "../../../shared/ids.js";
import type { Position } from "../../../shared/position.js";
import { readVersion, readModelFile, advanceVersion } from "./readModelSchema.js";
import { type SqliteDatabase, openForWriting } from "../../sqlite/database.js";
import { existsSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { CatalogueStore, CatalogueBatch } from "../../../../projections/catalogue/ports.js";
import type { ErasureStore, ErasureBatch } from "../../../../projections/contentErasure/ports.js";
import type { CredentialChange } from "../../../../projections/credentials/changes.js";
import type { GroupClosureStore, HoldingLimits } from "../../../../projections/groupClosure/ports.js";
import type { Storage } from "../../../daemon/ports.js";
import { firstVersion, type ProjectionName } from "../../../events/projection.js";
import { SharedOpenings } from "../../../shared/asyncDisposableStack.js";
import { identityOf } from "../../sqlite/fileIdentity.js";
import { removeDatabase, storedInFiles, versionFile, type VersionFiles } from "../../sqlite/versionFile.js";
import { ChangeSignal } from "../../sqlite/changeSignal.js";
import { SqliteCredentialWriter } from "./credentialWriter.js";
import { SqliteGroupClosureStore } from "./groupClosureStore.js";

const firstFile = "readModels.sqlite";
/** What a rebuild of the group closure holds back: it commits every few seconds. */
const buildingLimits = { changes: 500_000, people: 100_000 };

/** Where the read models of access, catalogue and credentials, and the reaction that erases texts, lie. */
interface StoreStorages {
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

/** How many rows go in one transaction: others write to the same file meanwhile. */
const rowsPerStep = 2_000;

const tables = {
  groupClosure: ["closure_people", "closure_groups", "closure_epochs", "closure_datasources"],
  catalogue: ["catalogue"],
  credentials: ["credentials", "credential_roles", "accounts", "account_roles", "sign_ins", "sessions"],
} as const;

/** A read model that shares a file with others. */
type EmptiedReadModel = keyof typeof tables;

/**
 * Empties one read model of a file that holds others as well, in steps. Its space is used again, and its checkpoint
 * stays. For a version that nobody serves or projects any more.
 */
async function dropSqliteReadModel({
  file,
  readModel,
}: {
  readonly file: string;
  readonly readModel: EmptiedReadModel;
}): Promise<void> {
  const database = openForWriting(readModelFile(file));
  try {
    for (const table of tables[readModel]) {
      const keys =
        database
          .prepare<[], string>(`SELECT group_concat(name, ', ') FROM pragma_table_info('${table}') WHERE pk > 0`)
          .pluck()
          .get() ?? "rowid";
      const remove = database.prepare(
        `DELETE FROM ${table} WHERE (${keys}) IN (SELECT ${keys} FROM ${table} LIMIT ${rowsPerStep})`,
      );
      while (remove.run().changes > 0) await nextTurn();
    }
  } finally {
    database.close();
  }
}

interface ReadModelStores {
  readonly groupClosure: GroupClosureStore;
  readonly catalogue: CatalogueStore;
  readonly credentials: ProjectionWriter<CredentialChange>;
  readonly contentErasure: ErasureStore;
}

interface ReadModelStoresOptions {
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

/** The catalogue's rows in `readModels.sqlite`. */
class SqliteCatalogueStore implements CatalogueStore {
  private readonly checkpoints: Checkpoints;
  private readonly select;
  private readonly upsert;
  private readonly remove;
  private readonly advance;

  constructor(
    database: SqliteDatabase,
    private readonly changed: ChangeSignal,
  ) {
    this.checkpoints = new Checkpoints(database, "catalogue");
    this.select = database
      .prepare<[string], string>("SELECT datasource FROM catalogue WHERE datasource_id = ?")
      .pluck();
    this.upsert = database.prepare(
      "INSERT INTO catalogue VALUES (?, ?, ?) ON CONFLICT (datasource_id) DO UPDATE SET datasource = excluded.datasource",
    );
    this.remove = database.prepare("DELETE FROM catalogue WHERE datasource_id = ?");
    this.advance = advanceVersion(database, "catalogue");
  }

  async checkpoint(): Promise<Position> {
    return this.checkpoints.read();
  }

  async find(datasourceId: DatasourceId): Promise<Datasource | null> {
    const json = this.select.get(datasourceId);
    return json === undefined ? null : readStoredDatasource(json);
  }

  async write(batch: CatalogueBatch): Promise<"applied" | "checkpointConflict"> {
    const { datasources, withdrawn } = batch;
    const outcome = this.checkpoints.commit({ ...batch, changes: [] }, () => {
      for (const datasource of datasources)
        this.upsert.run(datasource.datasourceId, datasource.name, JSON.stringify(datasource));
      for (const datasourceId of withdrawn) this.remove.run(datasourceId);
      if (datasources.length + withdrawn.length > 0) this.advance();
    });
    if (outcome === "applied") this.changed.announce();
    return outcome;
  }
}

/** What the erasure of texts remembers, in `readModels.sqlite`. */
class SqliteErasureStore implements ErasureStore {
  private readonly checkpoints: Checkpoints;
  private readonly select;
  private readonly insert;

  constructor(database: SqliteDatabase) {
    this.checkpoints = new Checkpoints(database, "contentErasure");
    this.select = database
      .prepare<[string], number>("SELECT 1 FROM closed_generations WHERE datasource_id = ?")
      .pluck();
    this.insert = database.prepare<[string]>("INSERT OR IGNORE INTO closed_generations VALUES (?)");
  }

  async checkpoint(): Promise<Position> {
    return this.checkpoints.read();
  }

  async isClosed(datasourceId: DatasourceId): Promise<boolean> {
    return this.select.get(datasourceId) !== undefined;
  }

  async write(batch: ErasureBatch): Promise<"applied" | "checkpointConflict"> {
    return this.checkpoints.commit({ ...batch, changes: [] }, () => {
      for (const datasourceId of batch.closed) this.insert.run(datasourceId);
    });
  }
}

interface SqliteReadModels {
  readonly access: AccessReader;
  readonly catalogue: CatalogueReader;
  readonly credentials: CredentialReader;
  readonly contentErasure: Checkpointed;
  readonly parked: ParkedEvents;
  readonly counted: Counted;
}

/** Opens `readModels.sqlite` for point reads in this thread, and creates it where no projection has yet. */
export function openSqliteReadModels({ file }: { readonly file: string }): SqliteReadModels & { close(): void } {
  const connection = new ReadModelConnection(file);
  return {
    access: new SqliteAccessReader(connection),
    catalogue: new SqliteCatalogueReader(connection),
    credentials: new SqliteCredentialReader(connection),
    contentErasure: connection.progressOf("contentErasure"),
    parked: parkedEventsIn(connection.database),
    counted: countsIn(connection.database),
    close: () => connection.close(),
  };
}

interface KnownCatalogue {
  dataVersion: number;
  readonly version: number;
  readonly byName: ReadonlyMap<DatasourceName, Datasource>;
}

/** Holds the whole catalogue (tens of datasources), and reads it again when its version has changed. */
class SqliteCatalogueReader implements CatalogueReader {
  private readonly progress: Checkpointed;
  private readonly version;
  private readonly selectAll;
  private known: KnownCatalogue | null = null;

  constructor(private readonly connection: ReadModelConnection) {
    this.progress = connection.progressOf("catalogue");
    this.version = readVersion(connection.database, "catalogue");
    this.selectAll = connection.database.prepare<[], string>("SELECT datasource FROM catalogue ORDER BY name").pluck();
  }

  position(): Promise<Position> {
    return this.progress.position();
  }

  reached(position: Position, timeoutMs: number): Promise<boolean> {
    return this.progress.reached(position, timeoutMs);
  }

  async find(name: DatasourceName): Promise<Datasource | null> {
    return this.current().get(name) ?? null;
  }

  async list(): Promise<readonly Datasource[]> {
    return [...this.current().values()];
  }

  private current(): ReadonlyMap<DatasourceName, Datasource> {
    const { known } = this;
    if (known?.dataVersion === this.connection.dataVersion()) return known.byName;
    return this.connection.snapshot(() => {
      const stamps = { dataVersion: this.connection.dataVersion(), version: this.version() };
      if (known?.version === stamps.version) Object.assign(known, stamps);
      else this.known = { ...stamps, byName: this.readAll() };
      return (this.known as KnownCatalogue).byName;
    });
  }

  private readAll(): ReadonlyMap<DatasourceName, Datasource> {
    const datasources = this.selectAll.all().map(readStoredDatasource);
    return new Map(datasources.map((datasource) => [datasource.name, datasource]));
  }
}

/** By projection: what is counted, and in which table. What belongs to a deleted datasource goes with it. */
const countedTables: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  groupClosure: { datasources: "closure_datasources", groups: "closure_groups", people: "closure_people" },
  catalogue: { datasources: "catalogue" },
  credentials: { credentials: "credentials", accounts: "accounts" },
};

/** Counts rows. */
const countsIn = (database: SqliteDatabase): Counted => ({
  counts: async (projection) => {
    const counted = Object.entries(countedTables[projection] ?? {}).map(
      ([what, table]) =>
        [what, database.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0] as const,
    );
    return Object.fromEntries(counted);
  },
});
