import type { ErasureBatch, ErasureStore } from "../../../../projections/contentErasure/ports.js";
import type { DatasourceId } from "../../../shared/ids.js";
import type { Position } from "../../../shared/position.js";
import type { StoreSession } from "./storeSession.js";

/** What the erasure of texts remembers, in Redis. If that is lost, the reaction starts over, which does no damage. */
export class RedisErasureStore implements ErasureStore {
  constructor(private readonly session: StoreSession) {}

  checkpoint(): Promise<Position> {
    return this.session.checkpoint("contentErasure");
  }

  async isClosed(datasourceId: DatasourceId): Promise<boolean> {
    const { closedIncarnations } = await this.session.keys();
    return (await this.session.read(["SISMEMBER", closedIncarnations, datasourceId])) === 1;
  }

  async write(batch: ErasureBatch): Promise<"applied" | "checkpointConflict"> {
    const { closedIncarnations } = await this.session.keys();
    return this.session.commit("contentErasure", {
      ...batch,
      commands: batch.closed.map((id) => ["SADD", closedIncarnations, id]),
      journalEntry: null,
    });
  }
}
