import { match } from "ts-pattern";
import type { SessionChange } from "../../../../projections/credentials/changes.js";
import type { SessionRecord } from "../../../readModels/credentials.js";
import type { CredentialId } from "../../../shared/ids.js";
import type { SqliteDatabase } from "../../sqlite/database.js";

/**
 * The sessions' rows in `readModels.sqlite`, for their writer. What has ended stays so, whatever is delivered again.
 */
export class SessionRows {
  private readonly insert;
  private readonly use;
  private readonly end;
  private readonly remove;
  private readonly removeExpired;
  private readonly removeEnded;

  constructor(database: SqliteDatabase) {
    this.insert = database.prepare<[SessionRecord]>(
      `INSERT INTO sessions (id, email, secret_sha256, method, started_at, expires_at, last_used_at, ended_at, account_revision)
       VALUES (@id, @email, @secretSha256, @method, @startedAt, @expiresAt, @lastUsedAt, @endedAt, @accountRevision)
       ON CONFLICT (id) DO NOTHING`,
    );
    this.use = database.prepare<[string, string]>("UPDATE sessions SET last_used_at = ? WHERE id = ?");
    this.end = database.prepare<[string, string]>("UPDATE sessions SET ended_at = ? WHERE id = ? AND ended_at IS NULL");
    this.remove = database.prepare<[string]>("DELETE FROM sessions WHERE id = ?");
    this.removeExpired = database.prepare<[string]>("DELETE FROM sessions WHERE expires_at <= ?");
    this.removeEnded = database.prepare("DELETE FROM sessions WHERE ended_at IS NOT NULL");
  }

  write(change: SessionChange): void {
    match(change)
      .with({ kind: "sessionStarted" }, ({ session }) => void this.insert.run(session))
      .with({ kind: "sessionUsed" }, ({ id, usedAt }) => void this.use.run(usedAt, id))
      .with({ kind: "sessionEnded" }, ({ id, at }) => void this.end.run(at, id))
      .with({ kind: "sessionForgotten" }, ({ id }) => void this.remove.run(id))
      .with({ kind: "sessionsOver" }, ({ at }) => {
        this.removeExpired.run(at);
        this.removeEnded.run();
      })
      .exhaustive();
  }
}

/** Reads sessions: the oldest first, or one. */
export function sessionsIn(database: SqliteDatabase) {
  const select = `SELECT id, email, secret_sha256 AS secretSha256, method, started_at AS startedAt,
    expires_at AS expiresAt, last_used_at AS lastUsedAt, ended_at AS endedAt, account_revision AS accountRevision
    FROM sessions`;
  const one = database.prepare<[string], SessionRecord>(`${select} WHERE id = ?`);
  const all = database.prepare<[], SessionRecord>(`${select} ORDER BY number`);
  return {
    find: (id: CredentialId): SessionRecord | null => one.get(id) ?? null,
    list: (): readonly SessionRecord[] => all.all(),
  };
}
