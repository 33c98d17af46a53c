import type { Statement } from "better-sqlite3";
import { closeSync, fsync, openSync, realpathSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import type { Position } from "../../../shared/position.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import { openLogForWriting } from "./logSchema.js";
import { WriteLock } from "./writeLock.js";

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
export class EraserConnection {
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
