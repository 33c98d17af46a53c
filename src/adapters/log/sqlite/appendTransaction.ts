import Database, { type Statement } from "better-sqlite3";
import type { SqliteDatabase } from "../../sqlite/database.js";
import { ClockBehind } from "../../../shared/failures.js";
import {
  outcomeKinds,
  type EncodedAppend,
  type EncodedContent,
  type EncodedEvent,
  type OutcomeMessage,
} from "./appendMessage.js";
import { carriedBytes, type CarriedText } from "../../../shared/carriedText.js";
import { toChunks } from "../textChunks.js";
import { identityOf } from "../../sqlite/fileIdentity.js";
import { WriteLock } from "./writeLock.js";
import { farApartMs } from "../../../events/foldedClock.js";

/** What is written into a file that has lost its name is lost with it. */
class LogExchanged extends Error {
  override readonly name = "LogExchanged";

  constructor(file: string) {
    super(
      `${file} is another file than the one that was opened. Nothing is written until the service is started again.`,
    );
  }
}

type Outcome = readonly [kind: number, revision: number, position: number];

interface StreamRow {
  readonly id: number;
  readonly revision: number;
}

/** Writes a batch of appends in one durable transaction; each is accepted or refused on its own. */
export class AppendTransaction {
  private readonly lock: WriteLock;
  private readonly insertStream: Statement<[string, number]>;
  private readonly advanceStream: Statement<[number, string, number], number>;
  private readonly selectStream: Statement<[string], StreamRow>;
  private readonly insertEvent: Statement<[number, number, number, number, string, string, string, string]>;
  private readonly selectEvents: Statement<[number, number, number], [id: string, position: number]>;
  private readonly insertContent: Statement<[number, Buffer, number, number, number, string | Buffer]>;
  private readonly times: RisingTimes;
  private readonly identity: string;

  constructor(private readonly database: SqliteDatabase) {
    this.identity = identityOf(database.name);
    this.times = new RisingTimes(database);
    this.lock = new WriteLock(database);
    this.insertStream = database.prepare("INSERT INTO streams (name, revision) VALUES (?, ?) ON CONFLICT DO NOTHING");
    this.advanceStream = database
      .prepare<[number, string, number], number>(
        "UPDATE streams SET revision = ? WHERE name = ? AND revision = ? RETURNING id",
      )
      .pluck();
    this.selectStream = database.prepare("SELECT id, revision FROM streams WHERE name = ?");
    this.insertEvent = database.prepare(
      "INSERT INTO events (stream, revision, category, version, id, type, metadata, data) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    );
    this.selectEvents = database
      .prepare<[number, number, number], [string, number]>(
        "SELECT id, position FROM events WHERE stream = ? AND revision > ? ORDER BY revision LIMIT ?",
      )
      .raw();
    this.insertContent = database.prepare(
      `INSERT INTO contents (stream, sha256, chunk, chunks, position, text) VALUES (?, ?, ?, ?, ?, CAST(? AS TEXT))
       ON CONFLICT (stream, sha256, chunk) DO UPDATE SET position = excluded.position`,
    );
  }

  /** Never throws: an error is the outcome of the appends that it concerns. On return, what was appended is on disk. */
  run(appends: readonly EncodedAppend[]): OutcomeMessage {
    try {
      this.lock.acquire();
    } catch (error) {
      return allFailed(appends, error);
    }
    try {
      if (identityOf(this.database.name) !== this.identity) throw new LogExchanged(this.database.name);
      this.times.begin();
      const outcomes: number[] = [];
      for (const append of appends) outcomes.push(...this.append(append));
      this.lock.commit();
      return { outcomes, errors: [] };
    } catch (error) {
      return this.afterFailure(appends, error);
    }
  }

  /** One of several appends may be at fault (a text beyond SQLite's limits). Then the others must not suffer. */
  private afterFailure(appends: readonly EncodedAppend[], error: unknown): OutcomeMessage {
    try {
      this.lock.rollback();
    } catch (rollbackError) {
      return allFailed(appends, rollbackError);
    }
    if (appends.length === 1) return allFailed(appends, error);
    const answers = appends.map((append) => this.run([append]));
    return { outcomes: answers.flatMap(({ outcomes }) => outcomes), errors: answers.flatMap(({ errors }) => errors) };
  }

  private append(append: EncodedAppend): Outcome {
    const stream = this.advance(append);
    if (stream === null) return this.repeatOrConflict(append);
    let revision = append.expected;
    let position = 0;
    for (const event of append.events) position = this.writeEvent(stream, ++revision, append.category, event);
    for (const content of append.contents) {
      this.writeContent(content.stream === append.stream ? stream : this.intern(content.stream), content, position);
    }
    return [outcomeKinds.appended, revision, position];
  }

  /**
   * Moves the stream to its new last revision and returns its id; null where the stream is not at the expected
   * revision.
   */
  private advance({ stream, expected, events }: EncodedAppend): number | null {
    const revision = expected + events.length;
    if (expected === -1) {
      const inserted = this.insertStream.run(stream, revision);
      if (inserted.changes === 1) return Number(inserted.lastInsertRowid);
    }
    return this.advanceStream.get(revision, stream, expected) ?? null;
  }

  private repeatOrConflict({ stream, expected, events }: EncodedAppend): Outcome {
    const found = this.selectStream.get(stream);
    if (found === undefined) return [outcomeKinds.conflict, -1, 0];
    const written = this.selectEvents.all(found.id, expected, events.length);
    const last = written.at(-1);
    const repeated = written.length === events.length && written.every(([id], index) => id === events[index]?.id);
    if (repeated && last !== undefined) return [outcomeKinds.appended, expected + events.length, last[1]];
    return [outcomeKinds.conflict, found.revision, 0];
  }

  private writeEvent(stream: number, revision: number, category: number, event: EncodedEvent): number {
    const { id, type, version, data } = event;
    const metadata = this.times.rising(event);
    return Number(this.insertEvent.run(stream, revision, category, version, id, type, metadata, data).lastInsertRowid);
  }

  private writeContent(stream: number, { sha256, text }: EncodedContent, position: number): void {
    const digest = Buffer.from(sha256, "hex");
    const chunks = toChunks(text);
    for (let index = 0; index < chunks.count; index++)
      this.insertContent.run(stream, digest, index, chunks.count, position, storedChunk(chunks.at(index)));
  }

  /** For a content that does not belong to the stream appended to. */
  private intern(stream: string): number {
    this.insertStream.run(stream, -1);
    const found = this.selectStream.get(stream);
    if (found === undefined) throw new Error(`Stream ${stream} could not be interned.`);
    return found.id;
  }
}

/** Bytes stay as they are, whether they are a text or not. */
const storedChunk = (chunk: CarriedText): string | Buffer => (typeof chunk === "string" ? chunk : carriedBytes(chunk));

function allFailed(appends: readonly EncodedAppend[], cause: unknown): OutcomeMessage {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const code = cause instanceof Database.SqliteError ? cause.code : null;
  return {
    outcomes: appends.flatMap(() => [outcomeKinds.failed, 0, 0]),
    errors: appends.map(({ stream }) =>
      cause instanceof ClockBehind || cause instanceof LogExchanged
        ? { message: reason, code: cause.name }
        : { message: `The append to stream ${stream} failed and may be tried again: ${reason}`, code },
    ),
  };
}

type Timed = readonly [position: number, at: string | null];

/**
 * Gives events times that rise with the log: an event of a clock that is a little behind gets the time of the event
 * before. One that is far behind is refused, unless the log has jumped from about that time: then the clock was far
 * ahead meanwhile, and the time is right again (`src/events/foldedClock.ts` reads it so).
 */
class RisingTimes {
  private readonly selectNewest;
  private readonly selectFrom;
  private newest = Number.NEGATIVE_INFINITY;

  constructor(database: SqliteDatabase) {
    this.selectNewest = database
      .prepare<[], Timed>("SELECT position, metadata ->> 'at' FROM events ORDER BY position DESC LIMIT 1")
      .raw();
    this.selectFrom = database
      .prepare<[number], Timed>(
        "SELECT position, metadata ->> 'at' FROM events WHERE position >= ? ORDER BY position LIMIT 1",
      )
      .raw();
  }

  /** Goes on from the newest event, of any writer. To be called in each transaction. */
  begin(): void {
    this.newest = timeOf(this.selectNewest.get());
  }

  /** The metadata with which the event is to be written. Throws `ClockBehind`. */
  rising({ metadata, time }: EncodedEvent): string {
    if (!(time < this.newest)) {
      if (!Number.isNaN(time)) this.newest = time;
      return metadata;
    }
    if (this.newest - time > farApartMs) this.newest = this.afterReturn(time);
    return time === this.newest ? metadata : withTime(metadata, this.newest);
  }

  /** The time to go on from, where the log is far ahead of an event's. */
  private afterReturn(time: number): number {
    let [low, high] = [0, this.selectNewest.get()?.[0] ?? 0];
    const near = time + farApartMs;
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (timeOf(this.selectFrom.get(middle)) <= near) low = middle;
      else high = middle;
    }
    const [before, after] = [timeOf(this.selectFrom.get(low)), timeOf(this.selectFrom.get(high))];
    if (before <= near && after > before + farApartMs) return Math.max(before, time);
    throw new ClockBehind(
      `The clock of this machine says ${new Date(time).toISOString()}, but the newest event of the log was written at ${new Date(this.newest).toISOString()}. Nothing is written until the clock is right.`,
    );
  }
}

const timeOf = (row: Timed | undefined): number => {
  const time = Date.parse(row?.[1] ?? "");
  return Number.isNaN(time) ? Number.NEGATIVE_INFINITY : time;
};

const withTime = (metadata: string, time: number): string =>
  JSON.stringify({ ...(JSON.parse(metadata) as object), at: new Date(time).toISOString() });
