import type { CatalogueBatch, CatalogueStore } from "../../../../projections/catalogue/ports.js";
import type { Datasource } from "../../../events/datasource.js";
import { readStoredDatasource } from "../../../readModels/storedDatasource.js";
import type { DatasourceId } from "../../../shared/ids.js";
import type { Position } from "../../../shared/position.js";
import type { StoreSession } from "./storeSession.js";

/** The catalogue's rows in Redis. */
export class RedisCatalogueStore implements CatalogueStore {
  constructor(private readonly session: StoreSession) {}

  checkpoint(): Promise<Position> {
    return this.session.checkpoint("catalogue");
  }

  async find(datasourceId: DatasourceId): Promise<Datasource | null> {
    const { catalogue } = await this.session.keys();
    const json = await this.session.read(["HGET", catalogue, datasourceId]);
    return json === null ? null : readStoredDatasource(String(json));
  }

  async write(batch: CatalogueBatch): Promise<"applied" | "checkpointConflict"> {
    const { catalogue } = await this.session.keys();
    const written = batch.datasources.map((datasource) => [
      "HSET",
      catalogue,
      datasource.datasourceId,
      JSON.stringify(datasource),
    ]);
    const withdrawn = batch.withdrawn.map((datasourceId) => ["HDEL", catalogue, datasourceId]);
    return this.session.commit("catalogue", { ...batch, commands: [...written, ...withdrawn], journalEntry: null });
  }
}
