import type { CatalogueReader, Checkpointed } from "../../../../queries/ports.js";
import type { Datasource } from "../../../events/datasource.js";
import { readStoredDatasource } from "../../../readModels/storedDatasource.js";
import type { DatasourceName } from "../../../shared/ids.js";
import type { Position } from "../../../shared/position.js";
import type { ReadModelConnection } from "./readModelConnection.js";
import { readVersion } from "./versions.js";

interface KnownCatalogue {
  dataVersion: number;
  readonly version: number;
  readonly byName: ReadonlyMap<DatasourceName, Datasource>;
}

/** Holds the whole catalogue (tens of datasources), and reads it again when its version has changed. */
export class SqliteCatalogueReader implements CatalogueReader {
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
