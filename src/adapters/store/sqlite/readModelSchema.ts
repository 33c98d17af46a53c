import { checkpointTables } from "../../sqlite/checkpoints.js";
import type { OpenOptions, SqliteDatabase } from "../../sqlite/database.js";

/**
 * `closure_epochs` is a journal: one row per transaction and datasource whose groups or access changed, with what
 * changed (`closureJournal.ts`), or NULL for "anything". Readers refresh by it. The places of groups are in it first,
 * and in their rows once it is folded into them; `foldedEpochs` has the epoch up to which that was done as its version.
 * Ids and epochs are never used twice, so a reader's memory cannot be mistaken for a later incarnation's. There is no
 * such record of people: a reader compares rows.
 *
 * Version 3 brought accounts and sessions, and of credentials by whom they were made; version 4 the language of
 * personal keys. An older file holds nothing of that, so its credentials go with their checkpoint, and are projected
 * afresh, with the accounts and sessions of the same checkpoint.
 */
const statements = `
  ${checkpointTables}
  CREATE TABLE IF NOT EXISTS closure_datasources (
    id INTEGER PRIMARY KEY AUTOINCREMENT, datasource_id TEXT NOT NULL UNIQUE, token TEXT NOT NULL, access TEXT NOT NULL
  );
  CREATE TABLE IF NOT EXISTS closure_groups (
    datasource INTEGER NOT NULL, idx INTEGER NOT NULL, group_id TEXT NOT NULL, name TEXT NOT NULL, token TEXT NOT NULL,
    parents BLOB NOT NULL, ancestors BLOB NOT NULL, PRIMARY KEY (datasource, idx)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS closure_groups_by_token ON closure_groups (datasource, token);
  CREATE TABLE IF NOT EXISTS closure_people (
    email TEXT NOT NULL, datasource INTEGER NOT NULL, registered INTEGER NOT NULL, token TEXT NOT NULL, groups BLOB NOT NULL,
    PRIMARY KEY (email, datasource)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS closure_epochs (epoch INTEGER PRIMARY KEY AUTOINCREMENT, datasource INTEGER NOT NULL, groups BLOB);
  CREATE TABLE IF NOT EXISTS catalogue (datasource_id TEXT PRIMARY KEY, name TEXT NOT NULL, datasource TEXT NOT NULL) WITHOUT ROWID;
  DROP TABLE IF EXISTS credentials;
  DROP TABLE IF EXISTS credential_roles;
  DROP TABLE IF EXISTS accounts;
  DROP TABLE IF EXISTS account_roles;
  DROP TABLE IF EXISTS sign_ins;
  DROP TABLE IF EXISTS sessions;
  DELETE FROM checkpoints WHERE projection = 'credentials';
  DELETE FROM parked_events WHERE projection = 'credentials';
  CREATE TABLE credentials (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, secret_sha256 TEXT NOT NULL,
    previous_sha256 TEXT, previous_ends_at TEXT, expires_at TEXT, created_at TEXT NOT NULL, created_by TEXT NOT NULL,
    last_used_at TEXT, revoked_at TEXT, name TEXT, datasources TEXT, email TEXT, language TEXT
  );
  CREATE TABLE credential_roles (id TEXT NOT NULL, role TEXT NOT NULL, PRIMARY KEY (id, role)) WITHOUT ROWID;
  CREATE TABLE accounts (
    number INTEGER PRIMARY KEY, email TEXT NOT NULL UNIQUE, origin TEXT NOT NULL, created_at TEXT NOT NULL,
    created_by TEXT NOT NULL, disabled_at TEXT, has_password INTEGER NOT NULL DEFAULT 0, sessions_ended INTEGER
  );
  CREATE TABLE account_roles (email TEXT NOT NULL, role TEXT NOT NULL, PRIMARY KEY (email, role)) WITHOUT ROWID;
  CREATE TABLE sign_ins (email TEXT PRIMARY KEY, at TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE sessions (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, email TEXT NOT NULL, secret_sha256 TEXT NOT NULL,
    method TEXT NOT NULL, started_at TEXT NOT NULL, expires_at TEXT NOT NULL, last_used_at TEXT, ended_at TEXT,
    account_revision INTEGER NOT NULL
  );
  CREATE INDEX sessions_by_expiry ON sessions (expires_at);
  CREATE INDEX sessions_ended ON sessions (ended_at) WHERE ended_at IS NOT NULL;
  CREATE TABLE IF NOT EXISTS closed_generations (datasource_id TEXT PRIMARY KEY) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS versions (read_model TEXT PRIMARY KEY, version INTEGER NOT NULL) WITHOUT ROWID;
  INSERT OR IGNORE INTO versions VALUES ('catalogue', 0), ('credentials', 0), ('foldedEpochs', 0);`;

/** How many epochs are kept. A reader that is further behind forgets all that it holds. */
export const keptEpochs = 256;

/** How the file of the group closure, catalogue and credentials is opened, by writers and readers alike. */
export const readModelFile = (file: string): OpenOptions => ({
  file,
  schema: { name: "read models", version: 4, statements },
  durability: "rebuildable",
});

/** Read models that readers hold in memory, each with a number that goes up with every change. */
type VersionedReadModel = "catalogue" | "credentials";

/** To be called in the transaction that makes the change. */
export function advanceVersion(database: SqliteDatabase, readModel: VersionedReadModel): () => void {
  const update = database.prepare<[string]>("UPDATE versions SET version = version + 1 WHERE read_model = ?");
  return () => void update.run(readModel);
}

/** To be called within the snapshot that is about to be read. */
export function readVersion(database: SqliteDatabase, readModel: VersionedReadModel): () => number {
  const select = database.prepare<[string], number>("SELECT version FROM versions WHERE read_model = ?").pluck();
  return () => select.get(readModel) ?? 0;
}
