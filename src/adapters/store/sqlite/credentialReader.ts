import { LRUCache } from "lru-cache";
import type { CredentialReader, Checkpointed } from "../../../../queries/ports.js";
import type { AccountRecord, CredentialRecord, SessionRecord } from "../../../readModels/credentials.js";
import { entriesAtMost } from "../../../shared/entriesAtMost.js";
import type { Role } from "../../../shared/credential.js";
import type { CredentialId, Email } from "../../../shared/ids.js";
import type { Language } from "../../../shared/texts.js";
import type { Position } from "../../../shared/position.js";
import { accountsIn, sessionsIn } from "./accountRows.js";
import type { ReadModelConnection } from "./readModelConnection.js";
import { readVersion } from "./readModelSchema.js";

interface Row extends Omit<CredentialRecord, "previousSecret" | "datasources" | "roles" | "language"> {
  readonly previousSha256: string | null;
  readonly previousEndsAt: string | null;
  readonly datasources: string | null;
  readonly roles: string;
  readonly language: Language | null;
}

const columns = `id, kind, secret_sha256 AS secretSha256, previous_sha256 AS previousSha256,
  previous_ends_at AS previousEndsAt, expires_at AS expiresAt, created_at AS createdAt, created_by AS createdBy,
  last_used_at AS lastUsedAt, revoked_at AS revokedAt, name, datasources, email, language,
  (SELECT json_group_array(role) FROM (SELECT role FROM credential_roles r WHERE r.id = credentials.id ORDER BY role))
    AS roles`;

const maxRemembered = 10_000;

/**
 * Remembers credentials, sessions and accounts until any of them changes: a revocation counts from the turn of the
 * event loop after its commit, in every process.
 */
export class SqliteCredentialReader implements CredentialReader {
  private readonly progress: Checkpointed;
  private readonly version;
  private readonly selectOne;
  private readonly selectAll;
  private readonly storedSessions;
  private readonly storedAccounts;
  private readonly known = new LRUCache<CredentialId, CredentialRecord>(entriesAtMost(maxRemembered));
  private readonly knownSessions = new LRUCache<CredentialId, SessionRecord>(entriesAtMost(maxRemembered));
  private readonly knownAccounts = new LRUCache<Email, AccountRecord>(entriesAtMost(maxRemembered));
  private knownDataVersion = -1;
  private knownVersion = -1;

  constructor(private readonly connection: ReadModelConnection) {
    this.progress = connection.progressOf("credentials");
    this.version = readVersion(connection.database, "credentials");
    this.selectOne = connection.database.prepare<[string], Row>(`SELECT ${columns} FROM credentials WHERE id = ?`);
    this.selectAll = connection.database.prepare<[], Row>(`SELECT ${columns} FROM credentials ORDER BY number`);
    this.storedSessions = sessionsIn(connection.database);
    this.storedAccounts = accountsIn(connection.database);
  }

  position(): Promise<Position> {
    return this.progress.position();
  }

  reached(position: Position, timeoutMs: number): Promise<boolean> {
    return this.progress.reached(position, timeoutMs);
  }

  async find(id: CredentialId): Promise<CredentialRecord | null> {
    return this.remembering(this.known, id, () => {
      const row = this.selectOne.get(id);
      return row === undefined ? null : toRecord(row);
    });
  }

  async list(): Promise<readonly CredentialRecord[]> {
    return this.selectAll.all().map(toRecord);
  }

  async findSession(id: CredentialId): Promise<SessionRecord | null> {
    return this.remembering(this.knownSessions, id, () => this.storedSessions.find(id));
  }

  async sessions(): Promise<readonly SessionRecord[]> {
    return this.storedSessions.list();
  }

  async findAccount(email: Email): Promise<AccountRecord | null> {
    return this.remembering(this.knownAccounts, email, () => this.storedAccounts.find(email));
  }

  async accounts(): Promise<readonly AccountRecord[]> {
    return this.storedAccounts.list();
  }

  private remembering<Key extends string, Value extends object>(
    memory: LRUCache<Key, Value>,
    key: Key,
    read: () => Value | null,
  ): Value | null {
    this.forgetChanged();
    const known = memory.get(key);
    if (known !== undefined) return known;
    return this.connection.snapshot(() => {
      this.forgetChanged();
      const found = read();
      if (found !== null) memory.set(key, found);
      return found;
    });
  }

  private forgetChanged(): void {
    const dataVersion = this.connection.dataVersion();
    if (dataVersion === this.knownDataVersion) return;
    this.knownDataVersion = dataVersion;
    const version = this.version();
    if (version === this.knownVersion) return;
    this.knownVersion = version;
    this.known.clear();
    this.knownSessions.clear();
    this.knownAccounts.clear();
  }
}

function toRecord({ previousSha256, previousEndsAt, datasources, roles, language, ...row }: Row): CredentialRecord {
  const hasPrevious = previousSha256 !== null && previousEndsAt !== null;
  return {
    ...row,
    previousSecret: hasPrevious ? { sha256: previousSha256, endsAt: previousEndsAt } : null,
    datasources: datasources === null ? null : (JSON.parse(datasources) as CredentialRecord["datasources"]),
    roles: JSON.parse(roles) as Role[],
    ...(language !== null && { language }),
  };
}
