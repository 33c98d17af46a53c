import type { ParkedEvents } from "../../../../projections/ports.js";
import type {
  AccessReader,
  CatalogueReader,
  Checkpointed,
  Counted,
  CredentialReader,
} from "../../../../queries/ports.js";
import { parkedEventsIn } from "../../sqlite/parkedEvents.js";
import { SqliteAccessReader } from "./accessReader.js";
import { SqliteCredentialReader } from "./credentialReader.js";
import { ReadModelConnection } from "./readModelConnection.js";
import type { Datasource } from "../../../events/datasource.js";
import { readStoredDatasource } from "../../../readModels/storedDatasource.js";
import type { DatasourceName } from "../../../shared/ids.js";
import type { Position } from "../../../shared/position.js";
import { readVersion } from "./readModelSchema.js";
import type { SqliteDatabase } from "../../sqlite/database.js";

export interface SqliteReadModels {
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
const tables: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  groupClosure: { datasources: "closure_datasources", groups: "closure_groups", people: "closure_people" },
  catalogue: { datasources: "catalogue" },
  credentials: { credentials: "credentials", accounts: "accounts" },
};

/** Counts rows. */
const countsIn = (database: SqliteDatabase): Counted => ({
  counts: async (projection) => {
    const counted = Object.entries(tables[projection] ?? {}).map(
      ([what, table]) =>
        [what, database.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0] as const,
    );
    return Object.fromEntries(counted);
  },
});
