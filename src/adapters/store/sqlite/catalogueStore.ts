import type { CatalogueBatch, CatalogueStore } from "../../../../projections/catalogue/ports.js";
import type { Datasource } from "../../../events/datasource.js";
import { readStoredDatasource } from "../../../readModels/storedDatasource.js";
import type { DatasourceId } from "../../../shared/ids.js";
import type { Position } from "../../../shared/position.js";
import type { ChangeSignal } from "../../sqlite/changeSignal.js";
import { Checkpoints } from "../../sqlite/checkpoints.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import { advanceVersion } from "./versions.js";

/** The catalogue's rows in `readModels.sqlite`. */
export class SqliteCatalogueStore implements CatalogueStore {
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
