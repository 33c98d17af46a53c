import { checkpointTables } from "../../sqlite/checkpoints.js";
import type { OpenOptions } from "../../sqlite/database.js";

/** Name of the projection's checkpoint in the file. */
export const permissionHistoryProjection = "permissionHistory";

/** The values of `principals.kind`: what a grant can name. A group is granted by its name, whichever group bears it. */
export const principalKinds = { anonymous: 0, user: 1, groupName: 2 } as const;
/**
 * How `origins.kind` is written. It says what the subject's number counts, and so to which stream the event belongs.
 */
export const subjectKinds = { stream: 0, person: 1, incarnation: 2, document: 3 } as const;

/**
 * Intervals reach from the position that opened them, inclusive, to the one that closed them, exclusive; NULL: still
 * open. Everything in an incarnation ends with it, so its end closes one row. Ids, names and emails are interned, so
 * rows are numbers.
 * - `principals` are what grants are for.
 * - What lists tell of people and documents that are there (`name`, `indexed`, `modified`, `title`) is as of now, and
 *   no history.
 * - Indexes lead with what is common, then with where it ended, so that a question about now passes over what is long
 *   over.
 * - `origins` are all events of the log: a stream is named by its subject or, where that is rare, by its text.
 * - `origins.latest` is what the log's clock (`src/events/foldedClock.ts`) showed there when the event came. `at` is
 *   the time that the event carries, NULL where it equals that.
 * - `clock_jumps` are the events at which the clock moved by more than an hour. Where one goes back, what was written
 *   before it was written by then, so `shownAt` is the time to tell.
 * - `defaults`: while a document was there without permissions of its own, and its datasource decided.
 * - `suspensions`: from here on nothing is known of the datasource ('': of any datasource), because an event is parked.
 */
const statements = `
  ${checkpointTables}
  CREATE TABLE IF NOT EXISTS incarnations (
    id INTEGER PRIMARY KEY, datasource_id TEXT NOT NULL UNIQUE, name TEXT, opened INTEGER, closed INTEGER
  ) STRICT;
  CREATE INDEX IF NOT EXISTS incarnations_by_name ON incarnations (name);
  CREATE TABLE IF NOT EXISTS principals (
    id INTEGER PRIMARY KEY, incarnation INTEGER NOT NULL, kind INTEGER NOT NULL, name TEXT NOT NULL,
    UNIQUE (incarnation, kind, name)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS registrations (
    person INTEGER NOT NULL, opened INTEGER NOT NULL, closed INTEGER, incarnation INTEGER NOT NULL, name TEXT, PRIMARY KEY (person, opened)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS registrations_by_incarnation ON registrations (incarnation, closed, opened);
  CREATE TABLE IF NOT EXISTS groups (
    id INTEGER PRIMARY KEY, incarnation INTEGER NOT NULL, group_id TEXT NOT NULL, UNIQUE (incarnation, group_id)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS group_names (
    grp INTEGER NOT NULL, opened INTEGER NOT NULL, closed INTEGER, principal INTEGER NOT NULL, PRIMARY KEY (grp, opened)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS group_names_by_principal ON group_names (principal);
  CREATE TABLE IF NOT EXISTS nestings (
    member INTEGER NOT NULL, grp INTEGER NOT NULL, opened INTEGER NOT NULL, closed INTEGER, PRIMARY KEY (member, grp, opened)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS nestings_by_group ON nestings (grp, closed);
  CREATE TABLE IF NOT EXISTS memberships (
    person INTEGER NOT NULL, grp INTEGER NOT NULL, opened INTEGER NOT NULL, closed INTEGER, PRIMARY KEY (person, grp, opened)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS memberships_by_group ON memberships (grp, closed);
  CREATE TABLE IF NOT EXISTS documents (
    id INTEGER PRIMARY KEY, incarnation INTEGER NOT NULL, document_id TEXT NOT NULL, UNIQUE (incarnation, document_id)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS existences (
    document INTEGER NOT NULL, opened INTEGER NOT NULL, closed INTEGER, indexed INTEGER NOT NULL, modified TEXT, title TEXT NOT NULL,
    PRIMARY KEY (document, opened)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS grants (
    document INTEGER NOT NULL, principal INTEGER NOT NULL, opened INTEGER NOT NULL, closed INTEGER,
    PRIMARY KEY (document, principal, opened)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS defaults (
    document INTEGER NOT NULL, opened INTEGER NOT NULL, closed INTEGER, PRIMARY KEY (document, opened)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS grants_by_principal ON grants (principal, closed, opened, document);
  CREATE TABLE IF NOT EXISTS words (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE IF NOT EXISTS origins (
    position INTEGER PRIMARY KEY, kind INTEGER NOT NULL, subject INTEGER, stream TEXT, revision INTEGER NOT NULL,
    type INTEGER NOT NULL, by INTEGER NOT NULL, latest INTEGER NOT NULL, at INTEGER
  ) STRICT;
  CREATE TABLE IF NOT EXISTS clock_jumps (position INTEGER PRIMARY KEY, before INTEGER NOT NULL, after INTEGER NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS clock_set_back ON clock_jumps (position, after) WHERE after < before;
  CREATE TABLE IF NOT EXISTS suspensions (datasource_id TEXT NOT NULL, position INTEGER NOT NULL, PRIMARY KEY (datasource_id, position)) STRICT, WITHOUT ROWID;`;

/** In SQL: what the clock shows at a row of `origins`, which is called `o`. */
export const shownAt =
  "min(o.latest, coalesce((SELECT min(after) FROM clock_jumps WHERE after < before AND position > o.position), o.latest))";

/** How `permissionHistory.sqlite` is opened, by its writer and its readers alike. */
export const permissionHistoryFile = (file: string): OpenOptions => ({
  file,
  schema: { name: "permission history", version: 7, statements, whenOlder: "rebuild" },
  durability: "rebuildable",
});
