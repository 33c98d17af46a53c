import type { Statement } from "better-sqlite3";
import { setImmediate as nextTurn, setTimeout as delay } from "node:timers/promises";
import { closeSync, fsync, openSync, realpathSync } from "node:fs";
import { promisify } from "node:util";
import {
  EngineUnavailable,
  type BytesReader,
  type ContentEraser,
  type ContentKey,
  type ContentReader,
} from "../../../../projections/ports.js";
import { isDamage, logDamageAdvice } from "../../../shared/failures.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import { ContentErased } from "../contentErased.js";
import { openLogForReading, openLogForWriting } from "./logSchema.js";
import { documentStream } from "../../../events/streams.js";
import { toDocumentId, type DatasourceId } from "../../../shared/ids.js";
import type { Position } from "../../../shared/position.js";
import { WriteLock } from "./writeLock.js";

type ChunkRow = readonly [text: string, chunks: number];

interface ChunkCount {
  readonly found: number;
  readonly chunks: number | null;
}

/**
 * The texts of the embedded log, through connections of its own: usable in any thread and process. Reading is
 * synchronous, and erasing blocks its thread while it waits for the write lock. So neither belongs on a thread that
 * serves requests.
 */
export function openSqliteContents(options: {
  readonly file: string;
}): ContentReader & BytesReader & ContentEraser & { close(): Promise<void> } {
  const database = openLogForReading(options.file);
  // Names of streams are scattered over their index: with SQLite's default of 2 MB each look-up would read its pages
  // again.
  database.pragma("cache_size = -16000");
  const eraser = new SqliteContentEraser(options.file);
  const texts = textsIn(database);
  const orLogDamaged = async <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    try {
      return await work();
    } catch (error) {
      throw isDamage(error) ? logDamaged() : error;
    }
  };
  return {
    read: (key) => orLogDamaged(() => texts.read(key)),
    readBytes: (key) => orLogDamaged(() => texts.readBytes(key)),
    erase: (key, before) => orLogDamaged(() => eraser.erase(key, before)),
    eraseDatasource: (datasourceId) => orLogDamaged(() => eraser.eraseDatasource(datasourceId)),
    close: async () => {
      database.close();
      await eraser.close();
    },
  };
}

/** Nothing of what SQLite says goes with it: who projects would take it for damage of what is projected. */
const logDamaged = (): EngineUnavailable => new EngineUnavailable(logDamageAdvice);

/** Reads contents through a connection to the log. */
export function textsIn(database: SqliteDatabase): ContentReader & BytesReader {
  const select: Statement<[string, Buffer], ChunkRow> = database
    .prepare<[string, Buffer], ChunkRow>(
      `SELECT c.text, c.chunks FROM streams s CROSS JOIN contents c ON c.stream = s.id
       WHERE s.name = ? AND c.sha256 = ? ORDER BY c.chunk`,
    )
    .raw();
  const count: Statement<[string, Buffer], ChunkCount> = database.prepare<[string, Buffer], ChunkCount>(
    `SELECT count(*) AS found, max(c.chunks) AS chunks FROM streams s CROSS JOIN contents c ON c.stream = s.id
     WHERE s.name = ? AND c.sha256 = ?`,
  );
  const selectChunk: Statement<[string, Buffer, number], Buffer> = database
    .prepare<[string, Buffer, number], Buffer>(
      `SELECT CAST(c.text AS BLOB) FROM streams s CROSS JOIN contents c ON c.stream = s.id
       WHERE s.name = ? AND c.sha256 = ? AND c.chunk = ?`,
    )
    .pluck();
  return {
    read: async (key) => joinChunks(select.all(...contentRow(key))),
    readBytes: async (key) => {
      const row = contentRow(key);
      const { found, chunks } = count.get(...row) ?? { found: 0, chunks: null };
      return chunks === null || found !== chunks ? null : eachChunk(chunks, (index) => selectChunk.get(...row, index));
    },
  };
}

async function* eachChunk(
  chunks: number,
  select: (index: number) => Buffer | undefined,
): AsyncGenerator<Uint8Array, void, void> {
  for (let index = 0; index < chunks; index++) {
    const chunk = select(index);
    if (chunk === undefined) throw new ContentErased();
    yield chunk;
  }
}

const contentRow = ({ stream, reference }: ContentKey): [stream: string, sha256: Buffer] => [
  stream,
  Buffer.from(reference.sha256, "hex"),
];

/** A text whose erasure has begun lacks chunks, and counts as erased. */
function joinChunks(rows: readonly ChunkRow[]): string | null {
  const first = rows[0];
  if (first === undefined || rows.length !== first[1]) return null;
  return rows.length === 1 ? first[0] : rows.map(([text]) => text).join("");
}

interface Erasure {
  readonly stream: string;
  readonly sha256: Buffer;
  readonly before: Position;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Erases texts, with `secure_delete`: what is deleted is overwritten with zeros in the database file, free pages
 * included. The zeros reach the file with the next checkpoint: after 16 MiB of writing, after the erasure of a
 * datasource, and when the log is closed. Old frames of the WAL are overwritten when it is used again from its start.
 * They are gone once the WAL is truncated, after the erasure of a datasource and when the log is closed.
 *
 * Erasures that are asked for together share transactions and one sync of the disk.
 */
class SqliteContentEraser implements ContentEraser {
  private connection: EraserConnection | null = null;
  private queue: Erasure[] = [];
  private running: Promise<unknown> = Promise.resolve();

  constructor(private readonly file: string) {}

  erase(key: ContentKey, before: Position): Promise<void> {
    return new Promise((resolve, reject) => {
      const { stream, reference } = key;
      this.queue.push({ stream, sha256: Buffer.from(reference.sha256, "hex"), before, resolve, reject });
      if (this.queue.length === 1) void this.inTurn(() => this.eraseQueued());
    });
  }

  eraseDatasource(datasourceId: DatasourceId): Promise<void> {
    return this.inTurn(async () => {
      const connection = this.connect();
      const prefix = documentStream(datasourceId, toDocumentId(""));
      for (let after: string | undefined = prefix; after !== undefined;)
        after = await connection.eraseNextStreams(prefix, after);
      await connection.emptyWal();
    });
  }

  async close(): Promise<void> {
    await this.running;
    this.connection?.close();
    this.connection = null;
  }

  private async eraseQueued(): Promise<void> {
    await nextTurn();
    const erasures = this.queue;
    this.queue = [];
    try {
      await this.connect().eraseTexts(erasures);
      for (const { resolve } of erasures) resolve();
    } catch (error) {
      for (const { reject } of erasures) reject(error);
    }
  }

  /** One after the other: there is one connection. */
  private inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const done = this.running.then(work);
    this.running = done.catch(() => undefined);
    return done;
  }

  private connect(): EraserConnection {
    this.connection ??= new EraserConnection(this.file);
    return this.connection;
  }
}

const sync = promisify(fsync);

/** After this long a transaction takes up no further work, and appends get as much time before the next one begins. */
const stepMs = 4;

/** At most 2 MiB of text go at once. */
const chunksPerDelete = 4;

const streamsPerPage = 256;
const truncateAttempts = 50;
const truncateRetryMs = 20;

interface TextRow {
  readonly stream: string;
  readonly sha256: Buffer;
  /** The text stays if an append after this position brought it again. */
  readonly before: Position;
}

/** Deletes a few chunks, the last ones first. True where there may be more. */
type Deletion = () => boolean;

/**
 * Deletes texts in short transactions. Their commits, unlike those of appends, do not wait for the disk while they hold
 * the lock: the WAL is synced afterwards, before the erasure is reported.
 */
class EraserConnection {
  private readonly database: SqliteDatabase;
  private readonly lock: WriteLock;
  private readonly deleteText: Statement<[string, Buffer, Position]>;
  private readonly deleteOfStream: Statement<[number]>;
  private readonly selectStreams: Statement<[string, string, number], { readonly id: number; readonly name: string }>;
  private wal: number | null = null;

  constructor(private readonly file: string) {
    this.database = openLogForWriting(file);
    this.database.pragma("synchronous = NORMAL");
    this.lock = new WriteLock(this.database);
    this.deleteText = this.database.prepare(
      `DELETE FROM contents WHERE stream = (SELECT id FROM streams WHERE name = ?) AND sha256 = ? AND position <= ? LIMIT ${chunksPerDelete}`,
    );
    this.deleteOfStream = this.database.prepare(`DELETE FROM contents WHERE stream = ? LIMIT ${chunksPerDelete}`);
    this.selectStreams = this.database.prepare(
      "SELECT id, name FROM streams WHERE name > ? AND name < ? ORDER BY name LIMIT ?",
    );
  }

  eraseTexts(texts: readonly TextRow[]): Promise<void> {
    const { deleteText } = this;
    return this.runInSteps(
      texts.map(
        ({ stream, sha256, before }) =>
          () =>
            deleteText.run(stream, sha256, before).changes === chunksPerDelete,
      ),
    );
  }

  /**
   * Erases the texts of the next streams with this prefix. Resolves with where to go on; undefined where none is left.
   */
  async eraseNextStreams(prefix: string, after: string): Promise<string | undefined> {
    const streams = this.selectStreams.all(after, `${prefix}\u{10FFFF}`, streamsPerPage);
    await this.runInSteps(
      streams.map(
        ({ id }) =>
          () =>
            this.deleteOfStream.run(id).changes === chunksPerDelete,
      ),
    );
    return streams.at(-1)?.name;
  }

  /** Moves the WAL into the database file and truncates it, unless readers or writers never leave a gap. */
  async emptyWal(): Promise<void> {
    this.database.pragma("wal_checkpoint(PASSIVE)");
    for (let attempt = 0; attempt < truncateAttempts; attempt++) {
      const busy = this.database.pragma("wal_checkpoint(TRUNCATE)") as readonly { readonly busy: number }[];
      if (busy[0]?.busy === 0) return;
      await delay(truncateRetryMs);
    }
  }

  close(): void {
    this.database.close();
    if (this.wal !== null) closeSync(this.wal);
  }

  /** Syncs after each step, so that no append has to wait for the disk because of what was erased before it. */
  private async runInSteps(deletions: readonly Deletion[]): Promise<void> {
    for (let next = 0; next < deletions.length;) {
      if (next > 0) await delay(stepMs);
      next = this.step(deletions, next);
      this.wal ??= openSync(`${realpathSync(this.file)}-wal`, "r+");
      await sync(this.wal);
    }
  }

  /** One transaction. Returns which deletion comes next. */
  private step(deletions: readonly Deletion[], first: number): number {
    this.lock.acquire();
    try {
      const deadline = performance.now() + stepMs;
      let next = first;
      for (
        let deletion = deletions[next];
        deletion !== undefined && performance.now() < deadline;
        deletion = deletions[next]
      ) {
        if (!deletion()) next++;
      }
      this.lock.commit();
      return next;
    } catch (error) {
      this.lock.rollback();
      throw error;
    }
  }
}
