import { LRUCache } from "lru-cache";
import type { CredentialReader, Checkpointed } from "../../../../queries/ports.js";
import type { CredentialRecord } from "../../../readModels/credentials.js";
import type { Role } from "../../../shared/credential.js";
import { limitsByName } from "../../../shared/datasourceLimit.js";
import type { CredentialId, Email } from "../../../shared/ids.js";
import type { Position } from "../../../shared/position.js";
import type { ReadModelConnection } from "./readModelConnection.js";
import { readVersion } from "./versions.js";

type Row = Record<keyof CredentialRecord, string | null>;

const columns =
  "id, kind, secret_sha256 AS secretSha256, expires_at AS expiresAt, created_at AS createdAt, revoked_at AS revokedAt, name, datasources, email, " +
  "(SELECT json_group_array(role) FROM (SELECT role FROM credential_roles r WHERE r.id = credentials.id ORDER BY role)) AS roles";
const maxRemembered = 10_000;

/**
 * Remembers credentials until any of them changes: a revocation counts from the turn of the event loop after its
 * commit, in every process.
 */
export class SqliteCredentialReader implements CredentialReader {
  private readonly progress: Checkpointed;
  private readonly version;
  private readonly selectOne;
  private readonly selectAll;
  private readonly known = new LRUCache<CredentialId, CredentialRecord>({ max: maxRemembered });
  private knownDataVersion = -1;
  private knownVersion = -1;

  constructor(private readonly connection: ReadModelConnection) {
    this.progress = connection.progressOf("credentials");
    this.version = readVersion(connection.database, "credentials");
    this.selectOne = connection.database.prepare<[string], Row>(`SELECT ${columns} FROM credentials WHERE id = ?`);
    this.selectAll = connection.database.prepare<[], Row>(`SELECT ${columns} FROM credentials ORDER BY number`);
  }

  position(): Promise<Position> {
    return this.progress.position();
  }

  reached(position: Position, timeoutMs: number): Promise<boolean> {
    return this.progress.reached(position, timeoutMs);
  }

  async find(id: CredentialId): Promise<CredentialRecord | null> {
    this.forgetChanged();
    const known = this.known.get(id);
    if (known !== undefined) return known;
    return this.connection.snapshot(() => {
      this.forgetChanged();
      const row = this.selectOne.get(id);
      if (row === undefined) return null;
      const record = toRecord(row);
      this.known.set(id, record);
      return record;
    });
  }

  async list(): Promise<readonly CredentialRecord[]> {
    return this.selectAll.all().map(toRecord);
  }

  private forgetChanged(): void {
    const dataVersion = this.connection.dataVersion();
    if (dataVersion === this.knownDataVersion) return;
    this.knownDataVersion = dataVersion;
    const version = this.version();
    if (version === this.knownVersion) return;
    this.knownVersion = version;
    this.known.clear();
  }
}

const toRecord = (row: Row): CredentialRecord => ({
  id: row.id as CredentialId,
  kind: row.kind as CredentialRecord["kind"],
  secretSha256: row.secretSha256 as string,
  expiresAt: row.expiresAt,
  createdAt: row.createdAt as string,
  revokedAt: row.revokedAt,
  name: row.name,
  datasources:
    row.datasources === null ? null : limitsByName(JSON.parse(row.datasources) as Parameters<typeof limitsByName>[0]),
  email: row.email as Email | null,
  roles: JSON.parse(row.roles as string) as Role[],
});
