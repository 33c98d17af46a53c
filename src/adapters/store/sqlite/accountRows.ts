import { match } from "ts-pattern";
import type {
  AccountChange,
  AccountFacts,
  CreatedAccount,
  SessionChange,
} from "../../../../projections/credentials/changes.js";
import type { AccountRecord, SessionRecord } from "../../../readModels/credentials.js";
import type { Role } from "../../../shared/credential.js";
import type { Email, CredentialId } from "../../../shared/ids.js";
import type { SqliteDatabase } from "../../sqlite/database.js";

/** The accounts' rows in `readModels.sqlite`, for their writer. */
export class AccountRows {
  private readonly insert;
  private readonly insertRole;
  private readonly removeRole;
  private readonly remove;
  private readonly removeRoles;
  private readonly setters;
  private readonly signIn;

  constructor(database: SqliteDatabase) {
    this.insert = database.prepare<[CreatedRow]>(
      `INSERT INTO accounts (email, origin, created_at, created_by) VALUES (@email, @origin, @createdAt, @createdBy)
       ON CONFLICT (email) DO NOTHING`,
    );
    this.insertRole = database.prepare<[string, string]>("INSERT OR IGNORE INTO account_roles VALUES (?, ?)");
    this.removeRole = database.prepare<[string, string]>("DELETE FROM account_roles WHERE email = ? AND role = ?");
    this.remove = database.prepare<[string]>("DELETE FROM accounts WHERE email = ?");
    this.removeRoles = database.prepare<[string]>("DELETE FROM account_roles WHERE email = ?");
    const setter = (column: string) =>
      database.prepare<[string | number | null, string]>(`UPDATE accounts SET ${column} = ? WHERE email = ?`);
    this.setters = {
      disabledAt: setter("disabled_at"),
      hasPassword: setter("has_password"),
      sessionsEndedRevision: setter("sessions_ended"),
    };
    this.signIn = database.prepare<[string, string]>(
      "INSERT INTO sign_ins VALUES (?, ?) ON CONFLICT (email) DO UPDATE SET at = max(at, excluded.at)",
    );
  }

  write(change: AccountChange): void {
    match(change)
      .with({ kind: "accountCreated" }, ({ account }) => this.add(account))
      .with({ kind: "accountChanged" }, ({ email, facts }) => this.set(email, facts))
      .with({ kind: "roleChanged" }, ({ email, role, isHeld }) => {
        (isHeld ? this.insertRole : this.removeRole).run(email, role);
      })
      .with({ kind: "accountForgotten" }, ({ email }) => {
        this.remove.run(email);
        this.removeRoles.run(email);
      })
      .with({ kind: "signedIn" }, ({ email, at }) => void this.signIn.run(email, at))
      .exhaustive();
  }

  private add({ roles, ...account }: CreatedAccount): void {
    this.insert.run(account);
    for (const role of roles) this.insertRole.run(account.email, role);
  }

  private set(email: Email, facts: AccountFacts): void {
    const { disabledAt, hasPassword, sessionsEndedRevision } = this.setters;
    if (facts.disabledAt !== undefined) disabledAt.run(facts.disabledAt, email);
    if (facts.hasPassword !== undefined) hasPassword.run(Number(facts.hasPassword), email);
    if (facts.sessionsEndedRevision !== undefined) sessionsEndedRevision.run(facts.sessionsEndedRevision, email);
  }
}

type CreatedRow = Omit<CreatedAccount, "roles">;

interface Row extends Omit<AccountRecord, "roles" | "hasPassword"> {
  readonly hasPassword: 0 | 1;
  readonly roles: string;
}

/** Reads accounts: the oldest first, or one. */
export function accountsIn(database: SqliteDatabase) {
  const select = `SELECT email, origin, created_at AS createdAt, created_by AS createdBy, disabled_at AS disabledAt,
    has_password AS hasPassword, sessions_ended AS sessionsEndedRevision,
    (SELECT at FROM sign_ins s WHERE s.email = accounts.email) AS lastSignInAt,
    (SELECT json_group_array(role) FROM (SELECT role FROM account_roles r WHERE r.email = accounts.email ORDER BY role))
      AS roles FROM accounts`;
  const one = database.prepare<[string], Row>(`${select} WHERE email = ?`);
  const all = database.prepare<[], Row>(`${select} ORDER BY number`);
  return {
    find: (email: Email): AccountRecord | null => {
      const row = one.get(email);
      return row === undefined ? null : toRecord(row);
    },
    list: (): readonly AccountRecord[] => all.all().map(toRecord),
  };
}

const toRecord = ({ roles, hasPassword, ...row }: Row): AccountRecord => ({
  ...row,
  hasPassword: hasPassword === 1,
  roles: JSON.parse(roles) as Role[],
});

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
