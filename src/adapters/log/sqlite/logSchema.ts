import { categoryOf, type StreamCategory, type StreamName } from "../../../events/streams.js";
import {
  openForReading,
  openForWriting,
  type OpenOptions,
  type Schema,
  type SqliteDatabase,
} from "../../sqlite/database.js";

/**
 * What is on disk.
 * - `streams` interns the names, so that neither events nor texts repeat them. It holds each stream's last revision, so
 *   testing an expected revision is one look-up. -1 marks a name that only texts refer to.
 * - `events` is the log. Positions rise in the order of commits, because SQLite has one writer at a time. Nothing is
 *   ever deleted, so the row id needs no AUTOINCREMENT (which would write one more page per commit).
 * - `contents` holds texts and the bytes of files, in chunks, under the stream of their document or file. `position` is
 *   that of the newest append that brought the content, `chunks` how many there are. Bytes are cast to TEXT, which
 *   changes none of them; read as a BLOB they come back. Foreign keys are left out: the one writer interns the stream
 *   in the same transaction.
 */
const schema: Schema = {
  name: "event log",
  version: 1,
  // Twice the default: texts of a few KB fill it better, and a batch of 500 appends takes a quarter less time to write.
  pageSize: 8_192,
  statements: `
    CREATE TABLE IF NOT EXISTS streams (
      id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, revision INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE IF NOT EXISTS events (
      position INTEGER PRIMARY KEY, stream INTEGER NOT NULL, revision INTEGER NOT NULL, category INTEGER NOT NULL,
      version INTEGER NOT NULL, id TEXT NOT NULL, type TEXT NOT NULL, metadata TEXT NOT NULL, data TEXT NOT NULL,
      UNIQUE (stream, revision)
    ) STRICT;
    CREATE TABLE IF NOT EXISTS contents (
      id INTEGER PRIMARY KEY, stream INTEGER NOT NULL, sha256 BLOB NOT NULL, chunk INTEGER NOT NULL,
      chunks INTEGER NOT NULL, position INTEGER NOT NULL, text TEXT NOT NULL,
      UNIQUE (stream, sha256, chunk)
    ) STRICT;`,
};

/** How a category is written in `events.category`. A code is never used again for another category. */
const categoryCodes: Readonly<Record<StreamCategory, number>> = {
  datasource: 1,
  groupGraph: 2,
  user: 3,
  document: 4,
  serviceAccount: 5,
  apiKey: 6,
  projection: 7,
  auditQuestion: 8,
  syncRun: 9,
  groupMembers: 10,
  file: 11,
  agent: 12,
  answer: 13,
  account: 14,
  session: 15,
};

export const codeOfCategory = (category: StreamCategory): number => categoryCodes[category];

/** Throws where the name does not begin with a known category. */
export function codeOfStream(stream: StreamName): number {
  const code = categoryCodes[categoryOf(stream)] as number | undefined;
  if (code === undefined) throw new Error(`Stream ${stream} belongs to no known category.`);
  return code;
}

/** 16 MiB: large enough that a page which many commits touch is copied back once, small enough for quick reads. */
export const checkpointPages = 2_048;

const options = (file: string): OpenOptions => ({ file, schema, durability: "durable" });

/**
 * A connection that appends or erases. It overwrites what it deletes or moves, so that no copy of a text stays behind.
 */
export function openLogForWriting(file: string): SqliteDatabase {
  const database = openForWriting(options(file));
  database.pragma("secure_delete = ON");
  database.pragma(`wal_autocheckpoint = ${checkpointPages}`);
  return database;
}

/** A read-only connection; creates the file where it is missing. */
export const openLogForReading = (file: string): SqliteDatabase => openForReading(options(file));
