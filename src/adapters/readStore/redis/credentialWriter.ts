import type { CredentialChange } from "../../../../projections/credentials/changes.js";
import type { ProjectionBatch, ProjectionWriter } from "../../../../projections/ports.js";
import type { Position } from "../../../shared/position.js";
import type { RedisCommand } from "../../redis/redisConnection.js";
import type { RowKeys } from "./rowKeys.js";
import type { StoreSession } from "./storeSession.js";

/** The credentials' rows in Redis. What is revoked stays revoked, whatever is delivered again. */
export class RedisCredentialWriter implements ProjectionWriter<CredentialChange> {
  constructor(private readonly session: StoreSession) {}

  checkpoint(): Promise<Position> {
    return this.session.checkpoint("credentials");
  }

  async apply(batch: ProjectionBatch<CredentialChange>): Promise<"applied" | "outrun"> {
    const keys = await this.session.keys();
    return this.session.commit("credentials", { ...batch, commands: batch.changes.map((change) => commandOf(change, keys)), journalEntry: null });
  }
}

function commandOf(change: CredentialChange, { credentials, credentialOrder, revocations }: RowKeys): RedisCommand {
  if (change.kind === "revoked") return ["REVOKE", credentials, revocations, change.id, change.at];
  return ["ADD", credentials, credentialOrder, change.record.id, JSON.stringify(change.record)];
}
