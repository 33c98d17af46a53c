import type { EventOrigin } from "../../../../projections/permissionHistory/ports.js";
import { FoldedClock, type ClockJump } from "../../../events/foldedClock.js";
import { beginning, toPosition, type Position } from "../../../shared/position.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import type { Interning, StreamSubject } from "./interning.js";
import { subjectKinds } from "./permissionHistorySchema.js";

/** After every event. */
const endOfLog = toPosition(BigInt(Number.MAX_SAFE_INTEGER));

interface Tick {
  readonly position: number;
  readonly latest: number;
}

/** The log's clock as of an event. */
interface ClockAt {
  readonly clock: FoldedClock;
  readonly position: Position;
}

/** Keeps where each fact comes from, and the log's clock. */
export class OriginRows {
  private readonly insertOrigin;
  private readonly replaceOrigin;
  private readonly selectBefore;
  private readonly deleteBetween;
  private readonly selectJumps;
  private readonly insertJump;
  private readonly deleteJumps;
  /** The clock at the event that was written last; null where it has to be read first. */
  private clock: ClockAt | null = null;
  /** The same of the event that was written afresh last. */
  private anew: ClockAt | null = null;
  /** The last event so far, while all rows are written afresh. */
  private restoredUpTo: Position | null = null;

  constructor(
    database: SqliteDatabase,
    private readonly interning: Interning,
  ) {
    const insert =
      "INSERT INTO origins (position, kind, subject, stream, revision, type, by, latest, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
    const columns = ["kind", "subject", "stream", "revision", "type", "by", "latest", "at"];
    const row = (prefix: string): string => `(${columns.map((column) => `${prefix}${column}`).join()})`;
    this.insertOrigin = database.prepare<unknown[]>(`${insert} ON CONFLICT DO NOTHING`);
    this.replaceOrigin = database.prepare<unknown[]>(
      `${insert} ON CONFLICT DO UPDATE SET ${row("")} = ${row("excluded.")} WHERE ${row("origins.")} IS NOT ${row("excluded.")}`,
    );
    this.selectBefore = database.prepare<unknown[], Tick>(
      "SELECT position, latest FROM origins WHERE position < ? ORDER BY position DESC LIMIT 1",
    );
    this.deleteBetween = database.prepare<unknown[]>("DELETE FROM origins WHERE position > ? AND position < ?");
    this.selectJumps = database.prepare<unknown[], ClockJump>(
      "SELECT before, after FROM clock_jumps WHERE position < ? ORDER BY position",
    );
    this.insertJump = database.prepare<unknown[]>("INSERT OR REPLACE INTO clock_jumps VALUES (?, ?, ?)");
    this.deleteJumps = database.prepare<unknown[]>("DELETE FROM clock_jumps WHERE position > ? AND position <= ?");
  }

  /** See {@link Interning.forget}. */
  forget(): void {
    this.clock = null;
    this.anew = null;
    this.restoredUpTo = null;
  }

  /** For when the log goes on. An event that is there already, and is parked now, stays. */
  record(origin: EventOrigin, subject: StreamSubject | null): void {
    const newest = this.clock ?? this.clockBefore(endOfLog);
    if (newest.position < origin.position) this.clock = this.write(this.insertOrigin, origin, subject, newest);
  }

  /** All rows are written afresh from here on: rows between two events that follow each other are stale. */
  beginAnew(): void {
    this.restoredUpTo = beginning;
  }

  /** Writes the row whatever is there. The clock goes on from the event before. */
  recordAnew(origin: EventOrigin, subject: StreamSubject | null): void {
    const { position } = origin;
    if (this.restoredUpTo !== null) {
      this.deleteBetween.run(this.restoredUpTo, position);
      this.deleteJumps.run(this.restoredUpTo, position);
      this.restoredUpTo = position;
    }
    const isNext = this.anew?.position === toPosition(this.selectBefore.get(position)?.position ?? 0);
    const before = this.anew !== null && isNext ? this.anew : this.clockBefore(position);
    this.anew = this.write(this.replaceOrigin, origin, subject, before);
    this.clock = null;
  }

  private clockBefore(position: Position): ClockAt {
    const last = this.selectBefore.get(position);
    const clock = new FoldedClock(last?.latest ?? null, this.selectJumps.iterate(position));
    return { clock, position: toPosition(last?.position ?? 0) };
  }

  private write(
    statement: typeof this.insertOrigin,
    { position, category, streamId, revision, type, at, by }: EventOrigin,
    subject: StreamSubject | null,
    { clock }: ClockAt,
  ): ClockAt {
    const { shows, jump } = clock.tick(at);
    if (jump !== null) this.insertJump.run(position, jump.before, jump.after);
    const stream = subject === null ? `${category}-${streamId}` : null;
    const [kind, number] = [subject?.kind ?? subjectKinds.stream, subject?.number ?? null];
    statement.run(
      position,
      kind,
      number,
      stream,
      revision,
      this.interning.word(type),
      this.interning.word(by),
      shows,
      at === shows ? null : at,
    );
    return { clock, position };
  }
}
