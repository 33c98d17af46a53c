import { checkpointTables } from "../../sqlite/checkpoints.js";
import type { OpenOptions } from "../../sqlite/database.js";

/**
 * `closure_epochs` is a journal: one row per transaction and datasource whose groups or access changed, with what
 * changed (`closureJournal.ts`), or NULL for "anything". Readers refresh by it. The places of groups are in it first,
 * and in their rows once it is folded into them; `foldedEpochs` has the epoch up to which that was done as its version.
 * Ids and epochs are never used twice, so a reader's memory cannot be mistaken for a later incarnation's. There is no
 * such record of people: a reader compares rows.
 *
 * Version 2 brought `credential_roles`. Nothing in an older file has a role, so it is right as it is.
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
  CREATE TABLE IF NOT EXISTS credentials (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, secret_sha256 TEXT NOT NULL, expires_at TEXT,
    created_at TEXT NOT NULL, revoked_at TEXT, name TEXT, datasources TEXT, email TEXT
  );
  CREATE TABLE IF NOT EXISTS credential_roles (id TEXT NOT NULL, role TEXT NOT NULL, PRIMARY KEY (id, role)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS closed_generations (datasource_id TEXT PRIMARY KEY) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS versions (read_model TEXT PRIMARY KEY, version INTEGER NOT NULL) WITHOUT ROWID;
  INSERT OR IGNORE INTO versions VALUES ('catalogue', 0), ('credentials', 0), ('foldedEpochs', 0);`;

/** How many epochs are kept. A reader that is further behind forgets all that it holds. */
export const keptEpochs = 256;

/** How the file of the group closure, catalogue and credentials is opened, by writers and readers alike. */
export const readModelFile = (file: string): OpenOptions => ({
  file,
  schema: { name: "read models", version: 2, statements },
  durability: "rebuildable",
});
