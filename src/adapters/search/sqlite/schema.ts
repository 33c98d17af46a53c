import { analysisVersion } from "../../../analysis/analyseDocument.js";
import { checkpointTables } from "../../sqlite/checkpoints.js";
import type { Schema } from "../../sqlite/database.js";

/** Name of the projection in the file's checkpoint table. */
export const searchProjectionName = "search";

/** Raise it whenever what the tables hold changes. */
const tablesVersion = 15;

/** The key of a document's first part, and of the first page of its passages, is its row times this. */
export const partsPerDocument = 65_536;

/**
 * One row per document, numbered by a counter that only grows. A document that is indexed again gets a new row, so a
 * higher row is always the newer one, and nothing that is remembered about a row can become wrong. `terms` is
 * contentless: its columns hold our own terms, split at blanks. `words` holds the folded words, with their ends
 * backwards for compounds, `word_middles` what may be a part in the middle of one, and `document_words` which of the
 * words each document holds. `passages` says which passages of a long text hold which terms. `doubted_words` may have
 * lost their last document; those up to `after_row` do not hold the word. `titles` holds the words of titles, and their
 * first words as one, for suggestions and titles that are typed; of beginnings of up to three letters it has lists.
 * `removals` tells readers which rows are gone. `vectors` holds what the passages of a document mean to a model, of
 * rows up to `up_to_row`: they are made in the order of rows, after the documents. The schema's version includes that
 * of the analysis, whose terms are stored.
 */
export const searchSchema: Schema = {
  name: "search index",
  version: tablesVersion * 1_000 + analysisVersion,
  whenOlder: "rebuild",
  statements: `${checkpointTables}
  CREATE TABLE counters (
    only INTEGER PRIMARY KEY CHECK (only = 0),
    next_row INTEGER NOT NULL, next_removal INTEGER NOT NULL, oldest_removal INTEGER NOT NULL, definitions INTEGER NOT NULL
  );
  INSERT INTO counters VALUES (0, 1, 1, 1, 0);
  CREATE TABLE datasources (
    id INTEGER PRIMARY KEY AUTOINCREMENT, datasource_id TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('served', 'suspended', 'deleted')), searchable TEXT NOT NULL
  );
  CREATE UNIQUE INDEX served_datasources ON datasources (name) WHERE status = 'served';
  CREATE TABLE subs (
    id INTEGER PRIMARY KEY AUTOINCREMENT, datasource INTEGER NOT NULL, parent_key TEXT NOT NULL, key TEXT NOT NULL,
    since INTEGER NOT NULL, UNIQUE (datasource, parent_key, key)
  );
  CREATE TABLE access_classes (id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, tokens TEXT NOT NULL);
  CREATE TABLE documents (
    row INTEGER PRIMARY KEY, datasource INTEGER NOT NULL, document_id TEXT NOT NULL, class INTEGER NOT NULL,
    sub INTEGER, child_sub INTEGER, search_file_type INTEGER NOT NULL, modified INTEGER,
    indexed_at TEXT NOT NULL, language TEXT, title TEXT NOT NULL, file_type TEXT NOT NULL, mime_type TEXT NOT NULL,
    size INTEGER NOT NULL, path TEXT, path_preview TEXT, author TEXT, last_modified TEXT, custom_properties TEXT,
    term_count INTEGER NOT NULL, file TEXT
  );
  CREATE UNIQUE INDEX documents_by_id ON documents (datasource, document_id);
  CREATE TABLE texts (part INTEGER PRIMARY KEY, text TEXT NOT NULL);
  CREATE TABLE passages (page INTEGER PRIMARY KEY, terms BLOB NOT NULL);
  CREATE TABLE removals (sequence INTEGER PRIMARY KEY, row INTEGER NOT NULL);
  CREATE TABLE pending_analysis (datasource INTEGER PRIMARY KEY, after_row INTEGER NOT NULL, last_row INTEGER NOT NULL);
  CREATE TABLE pending_removal (datasource INTEGER PRIMARY KEY);
  CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT NOT NULL UNIQUE, ending TEXT);
  CREATE INDEX words_by_ending ON words (ending) WHERE ending IS NOT NULL;
  CREATE TABLE typo_keys (key INTEGER NOT NULL, word INTEGER NOT NULL, PRIMARY KEY (key, word)) WITHOUT ROWID;
  CREATE TABLE word_middles (middle TEXT NOT NULL, word INTEGER NOT NULL, PRIMARY KEY (middle, word)) WITHOUT ROWID;
  CREATE TABLE document_words (row INTEGER PRIMARY KEY, words BLOB NOT NULL);
  CREATE TABLE vectors (row INTEGER PRIMARY KEY, passages BLOB NOT NULL);
  CREATE TABLE vector_state (
    only INTEGER PRIMARY KEY CHECK (only = 0),
    model TEXT NOT NULL, dimensions INTEGER NOT NULL, up_to_row INTEGER NOT NULL, epoch INTEGER NOT NULL
  );
  INSERT INTO vector_state VALUES (0, '', 0, 0, 0);
  CREATE TABLE doubted_words (word INTEGER PRIMARY KEY, after_row INTEGER NOT NULL);
  CREATE VIRTUAL TABLE titles USING fts5 (
    words, content = '', contentless_delete = 1, detail = none, prefix = '2 3 4', tokenize = 'ascii'
  );
  INSERT INTO titles (titles, rank) VALUES ('automerge', 16);
  INSERT INTO titles (titles, rank) VALUES ('crisismerge', 32);
  CREATE VIRTUAL TABLE terms USING fts5 (title, body, content = '', contentless_delete = 1, tokenize = 'ascii');
  INSERT INTO terms (terms, rank) VALUES ('hashsize', 8388608);
  INSERT INTO terms (terms, rank) VALUES ('automerge', 16);
  INSERT INTO terms (terms, rank) VALUES ('crisismerge', 32);`,
};

/** The key of the first part of a row's text, and of the first page of its passages. */
export const firstPartOf = (row: number): number => row * partsPerDocument;
