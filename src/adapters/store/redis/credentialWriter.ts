import type { CredentialChange } from "../../../../projections/credentials/changes.js";
import type { ProjectionBatch, ProjectionWriter } from "../../../../projections/ports.js";
import type { Position } from "../../../shared/position.js";
import type { RedisCommand } from "../../redis/redisConnection.js";
import type { RowKeys } from "./rowKeys.js";
import type { StoreSession } from "./storeSession.js";

/** The credentials' rows in Redis. What was revoked stays revoked, whatever is delivered again. */
export class RedisCredentialWriter implements ProjectionWriter<CredentialChange> {
  constructor(private readonly session: StoreSession) {}

  checkpoint(): Promise<Position> {
    return this.session.checkpoint("credentials");
  }

  async apply(batch: ProjectionBatch<CredentialChange>): Promise<"applied" | "checkpointConflict"> {
    const keys = await this.session.keys();
    return this.session.commit("credentials", {
      ...batch,
      commands: batch.changes.flatMap((change) => commandsOf(change, keys)),
      journalEntry: null,
    });
  }
}

function commandsOf(
  change: CredentialChange,
  { credentials, credentialOrder, revocations, limits }: RowKeys,
): readonly RedisCommand[] {
  if (change.kind === "revoked") return [["REVOKE", credentials, revocations, change.id, change.at]];
  if (change.kind === "bound") return [["HSET", limits, change.id, JSON.stringify(change.datasources)]];
  if (change.kind === "forgotten")
    return [
      ["HDEL", credentials, change.id],
      ["HDEL", revocations, change.id],
      ["HDEL", limits, change.id],
      ["LREM", credentialOrder, "0", change.id],
    ];
  const { record } = change;
  const json = JSON.stringify({ ...record, revokedAt: null });
  const added = ["ADD", credentials, credentialOrder, record.id, json];
  if (change.kind === "created") return [added];
  const revocation =
    record.revokedAt === null ? ["HDEL", revocations, record.id] : ["HSET", revocations, record.id, record.revokedAt];
  return [added, ["HSET", credentials, record.id, json], ["HDEL", limits, record.id], revocation];
}
