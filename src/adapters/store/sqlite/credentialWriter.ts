import type { CredentialChange } from "../../../../projections/credentials/changes.js";
import type { ProjectionBatch, ProjectionWriter } from "../../../../projections/ports.js";
import type { CredentialRecord } from "../../../readModels/credentials.js";
import type { CredentialId } from "../../../shared/ids.js";
import type { Position } from "../../../shared/position.js";
import type { ChangeSignal } from "../../sqlite/changeSignal.js";
import { Checkpoints } from "../../sqlite/checkpoints.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import { advanceVersion } from "./versions.js";

/** The credentials' rows in `readModels.sqlite`. What was revoked stays revoked, whatever is delivered again. */
export class SqliteCredentialWriter implements ProjectionWriter<CredentialChange> {
  private readonly checkpoints: Checkpoints;
  private readonly insert;
  private readonly insertRole;
  private readonly replace;
  private readonly bind;
  private readonly remove;
  private readonly removeRoles;
  private readonly revoke;
  private readonly advance;

  constructor(
    database: SqliteDatabase,
    private readonly changed: ChangeSignal,
  ) {
    this.checkpoints = new Checkpoints(database, "credentials");
    this.insert = database.prepare(
      `INSERT INTO credentials (id, kind, secret_sha256, expires_at, created_at, revoked_at, name, datasources, email)
       VALUES (@id, @kind, @secretSha256, @expiresAt, @createdAt, @revokedAt, @name, @datasources, @email) ON CONFLICT (id) DO NOTHING`,
    );
    this.replace = database.prepare(
      `INSERT INTO credentials (id, kind, secret_sha256, expires_at, created_at, revoked_at, name, datasources, email)
       VALUES (@id, @kind, @secretSha256, @expiresAt, @createdAt, @revokedAt, @name, @datasources, @email) ON CONFLICT (id) DO UPDATE
       SET kind = excluded.kind, secret_sha256 = excluded.secret_sha256, expires_at = excluded.expires_at, created_at = excluded.created_at,
       revoked_at = excluded.revoked_at, name = excluded.name, datasources = excluded.datasources, email = excluded.email`,
    );
    this.bind = database.prepare<[string, string]>("UPDATE credentials SET datasources = ? WHERE id = ?");
    this.remove = database.prepare<[string]>("DELETE FROM credentials WHERE id = ?");
    this.removeRoles = database.prepare<[string]>("DELETE FROM credential_roles WHERE id = ?");
    this.insertRole = database.prepare<[string, string]>("INSERT OR IGNORE INTO credential_roles VALUES (?, ?)");
    this.revoke = database.prepare<[string, string]>(
      "UPDATE credentials SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL",
    );
    this.advance = advanceVersion(database, "credentials");
  }

  async checkpoint(): Promise<Position> {
    return this.checkpoints.read();
  }

  async apply(batch: ProjectionBatch<CredentialChange>): Promise<"applied" | "checkpointConflict"> {
    const outcome = this.checkpoints.commit(batch, () => {
      for (const change of batch.changes) {
        if (change.kind === "created") this.add(change.record);
        else if (change.kind === "restored") this.restore(change.record);
        else if (change.kind === "forgotten") this.forget(change.id);
        else if (change.kind === "bound") this.bind.run(JSON.stringify(change.datasources), change.id);
        else this.revoke.run(change.at, change.id);
      }
      if (batch.changes.length > 0) this.advance();
    });
    if (outcome === "applied") this.changed.announce();
    return outcome;
  }

  /** Puts it at its old place in the order, if it has one. */
  private restore({ roles, ...record }: CredentialRecord): void {
    this.replace.run(toRow(record));
    this.removeRoles.run(record.id);
    for (const role of roles) this.insertRole.run(record.id, role);
  }

  private forget(id: CredentialId): void {
    this.remove.run(id);
    this.removeRoles.run(id);
  }

  private add({ roles, ...record }: CredentialRecord): void {
    this.insert.run(toRow(record));
    for (const role of roles) this.insertRole.run(record.id, role);
  }
}

const toRow = (record: Omit<CredentialRecord, "roles">): Record<keyof typeof record, string | null> => ({
  ...record,
  datasources: record.datasources === null ? null : JSON.stringify(record.datasources),
});
