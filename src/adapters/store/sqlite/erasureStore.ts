import type { ErasureBatch, ErasureStore } from "../../../../projections/contentErasure/ports.js";
import type { DatasourceId } from "../../../shared/ids.js";
import type { Position } from "../../../shared/position.js";
import { Checkpoints } from "../../sqlite/checkpoints.js";
import type { SqliteDatabase } from "../../sqlite/database.js";

/** What the erasure of texts remembers, in `readModels.sqlite`. */
export class SqliteErasureStore implements ErasureStore {
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
