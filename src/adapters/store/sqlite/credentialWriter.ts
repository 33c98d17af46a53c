import { match, P } from "ts-pattern";
import type { CredentialChange } from "../../../../projections/credentials/changes.js";
import type { ProjectionBatch, ProjectionWriter } from "../../../../projections/ports.js";
import type { CredentialRecord } from "../../../readModels/credentials.js";
import type { CredentialId } from "../../../shared/ids.js";
import type { Position } from "../../../shared/position.js";
import type { ChangeSignal } from "../../sqlite/changeSignal.js";
import { Checkpoints } from "../../sqlite/checkpoints.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import { AccountRows, SessionRows } from "./accountRows.js";
import { advanceVersion } from "./readModelSchema.js";

/** The credentials' rows in `readModels.sqlite`. What was revoked stays revoked, whatever is delivered again. */
export class SqliteCredentialWriter implements ProjectionWriter<CredentialChange> {
  private readonly checkpoints: Checkpoints;
  private readonly accounts: AccountRows;
  private readonly sessions: SessionRows;
  private readonly insert;
  private readonly insertRole;
  private readonly replace;
  private readonly bind;
  private readonly rotate;
  private readonly use;
  private readonly remove;
  private readonly removeRoles;
  private readonly revoke;
  private readonly advance;

  constructor(
    database: SqliteDatabase,
    private readonly changed: ChangeSignal,
  ) {
    this.checkpoints = new Checkpoints(database, "credentials");
    this.accounts = new AccountRows(database);
    this.sessions = new SessionRows(database);
    this.insert = database.prepare(
      `INSERT INTO credentials (${columns}) VALUES (${values}) ON CONFLICT (id) DO NOTHING`,
    );
    this.replace = database.prepare(
      `INSERT INTO credentials (${columns}) VALUES (${values}) ON CONFLICT (id) DO UPDATE SET ${replacements}`,
    );
    this.bind = database.prepare<[string, string]>("UPDATE credentials SET datasources = ? WHERE id = ?");
    this.rotate = database.prepare<[{ id: string; secretSha256: string; previousEndsAt: string }]>(
      `UPDATE credentials SET previous_sha256 = secret_sha256, previous_ends_at = @previousEndsAt, secret_sha256 = @secretSha256
       WHERE id = @id AND secret_sha256 <> @secretSha256`,
    );
    this.use = database.prepare<[string, string]>("UPDATE credentials SET last_used_at = ? WHERE id = ?");
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
      for (const change of batch.changes) this.write(change);
      if (batch.changes.length > 0) this.advance();
    });
    if (outcome === "applied") this.changed.announce();
    return outcome;
  }

  private write(change: CredentialChange): void {
    match(change)
      .with({ kind: "created" }, ({ record }) => this.add(record))
      .with({ kind: "restored" }, ({ record }) => this.restore(record))
      .with({ kind: "forgotten" }, ({ id }) => this.forget(id))
      .with({ kind: "bound" }, ({ id, datasources }) => void this.bind.run(JSON.stringify(datasources), id))
      .with({ kind: "rotated" }, ({ id, secretSha256, previousEndsAt }) => {
        this.rotate.run({ id, secretSha256, previousEndsAt });
      })
      .with({ kind: "used" }, ({ id, usedAt }) => void this.use.run(usedAt, id))
      .with({ kind: "revoked" }, ({ id, at }) => void this.revoke.run(at, id))
      .with(
        { kind: P.union("accountCreated", "accountChanged", "roleChanged", "accountForgotten", "signedIn") },
        (ofAccount) => this.accounts.write(ofAccount),
      )
      .with(
        { kind: P.union("sessionStarted", "sessionUsed", "sessionEnded", "sessionForgotten", "sessionsOver") },
        (ofSession) => this.sessions.write(ofSession),
      )
      .exhaustive();
  }

  /** Puts it at its old place in the order, if it has one. */
  private restore(record: CredentialRecord): void {
    this.replace.run(toRow(record));
    this.removeRoles.run(record.id);
    for (const role of record.roles) this.insertRole.run(record.id, role);
  }

  private forget(id: CredentialId): void {
    this.remove.run(id);
    this.removeRoles.run(id);
  }

  private add(record: CredentialRecord): void {
    this.insert.run(toRow(record));
    for (const role of record.roles) this.insertRole.run(record.id, role);
  }
}

const names = [
  ...["id", "kind", "secret_sha256", "previous_sha256", "previous_ends_at", "expires_at", "created_at", "created_by"],
  ...["last_used_at", "revoked_at", "name", "datasources", "email", "language"],
];

const columns = names.join(", ");
const values = names.map((name) => `@${name}`).join(", ");
const replacements = names.map((name) => `${name} = excluded.${name}`).join(", ");

const toRow = (record: CredentialRecord): Readonly<Record<string, string | null>> => ({
  id: record.id,
  kind: record.kind,
  secret_sha256: record.secretSha256,
  previous_sha256: record.previousSecret?.sha256 ?? null,
  previous_ends_at: record.previousSecret?.endsAt ?? null,
  expires_at: record.expiresAt,
  created_at: record.createdAt,
  created_by: record.createdBy,
  last_used_at: record.lastUsedAt,
  revoked_at: record.revokedAt,
  name: record.name,
  datasources: record.datasources === null ? null : JSON.stringify(record.datasources),
  email: record.email,
  language: record.language ?? null,
});
