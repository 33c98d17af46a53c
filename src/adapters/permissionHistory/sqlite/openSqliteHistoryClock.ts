import type { ParkedEvent } from "../../../../projections/ports.js";
import type { KeptLogClock } from "../../../audit/ports/log.js";
import type { Checkpointed } from "../../../../queries/ports.js";
import { beginning, toPosition, type Position } from "../../../shared/position.js";
import { ReadModelUnavailable } from "../../../shared/failures.js";
import { ChangeSignal } from "../../sqlite/changeSignal.js";
import { Checkpoints } from "../../sqlite/checkpoints.js";
import { openForReading, type SqliteDatabase } from "../../sqlite/database.js";
import { parkedEventsIn } from "../../sqlite/checkpoints.js";
import { permissionHistoryFile, permissionHistoryProjection, shownAt } from "./permissionHistorySchema.js";

interface SqliteHistoryClockOptions {
  readonly file: string;
  /** Where the log ends now. */
  logHead(): Promise<Position>;
  /** How long a question waits for the history to come as far as it asks. */
  readonly patienceMs: number;
}

type Tick = readonly [position: number, latest: number];

/**
 * Opens the permission history for what it knows of times and of itself, as point reads in this thread. Creates the
 * file where it is missing.
 */
export function openSqliteHistoryClock(
  options: SqliteHistoryClockOptions,
): KeptLogClock & Checkpointed & { parked(): Promise<readonly ParkedEvent[]>; close(): void } {
  return new SqliteHistoryClock(options);
}

class SqliteHistoryClock implements KeptLogClock, Checkpointed {
  private readonly database: SqliteDatabase;
  private readonly checkpoints: Checkpoints;
  private readonly changed: ChangeSignal;
  private readonly parkedEvents;
  private readonly tickFrom;
  private readonly tickUpTo;
  private readonly timeUpTo;
  private readonly setBack;

  constructor(private readonly options: SqliteHistoryClockOptions) {
    this.database = openForReading(permissionHistoryFile(options.file));
    this.checkpoints = new Checkpoints(this.database, permissionHistoryProjection);
    this.changed = new ChangeSignal(options.file);
    this.parkedEvents = parkedEventsIn(this.database);
    this.tickFrom = this.database
      .prepare<[number], Tick>("SELECT position, latest FROM origins WHERE position >= ? ORDER BY position LIMIT 1")
      .raw();
    this.tickUpTo = this.database
      .prepare<[number], Tick>(
        "SELECT position, latest FROM origins WHERE position <= ? ORDER BY position DESC LIMIT 1",
      )
      .raw();
    this.timeUpTo = this.database
      .prepare<[number], number>(
        `SELECT ${shownAt} FROM origins o WHERE o.position <= ? ORDER BY o.position DESC LIMIT 1`,
      )
      .pluck();
    this.setBack = this.database
      .prepare<[], Tick>("SELECT position, after FROM clock_jumps WHERE after < before ORDER BY position DESC")
      .raw();
  }

  async position(): Promise<Position> {
    return this.checkpoints.read();
  }

  /** What the projection could not apply. */
  parked(): Promise<readonly ParkedEvent[]> {
    return this.parkedEvents.list(permissionHistoryProjection);
  }

  reached(position: Position, timeoutMs: number): Promise<boolean> {
    return this.changed.until(() => this.checkpoints.read() >= position, timeoutMs);
  }

  async positionAt(time: number): Promise<Position> {
    // If something later is known, then what is not projected yet comes after it and cannot matter.
    if ((this.newest()?.[1] ?? Number.NEGATIVE_INFINITY) <= time) await this.require(await this.options.logHead());
    return this.endOfPrefix(time);
  }

  async timeAt(position: Position): Promise<number | null> {
    await this.require(position);
    return this.timeUpTo.get(Number(position)) ?? null;
  }

  async showed(position: Position): Promise<number | null> {
    await this.require(position);
    return this.tickUpTo.get(Number(position))?.[1] ?? null;
  }

  async newestTime(): Promise<number | null> {
    return this.newest()?.[1] ?? null;
  }

  close(): void {
    this.changed.close();
    this.database.close();
  }

  private newest(): Tick | undefined {
    return this.tickUpTo.get(Number.MAX_SAFE_INTEGER);
  }

  /**
   * The last event at which the clock showed no more than `time`. It stands after the newest place where the clock went
   * back to no more than that; from there on up to where it went back next, the clock only rises, so a binary search
   * finds it.
   */
  private endOfPrefix(time: number): Position {
    let [low, high] = [0, this.newest()?.[0] ?? 0];
    for (const [position, after] of this.setBack.iterate()) {
      if (after <= time) {
        low = position;
        break;
      }
      high = position - 1;
    }
    while (low < high) {
      const middle = low + Math.ceil((high - low) / 2);
      const tick = this.tickFrom.get(middle);
      if (tick !== undefined && tick[0] <= high && tick[1] <= time) low = tick[0];
      else high = middle - 1;
    }
    return low === 0 ? beginning : toPosition(low);
  }

  private async require(position: Position): Promise<void> {
    if (await this.reached(position, this.options.patienceMs)) return;
    throw new ReadModelUnavailable(
      `The permission history has come to position ${await this.position()} of the log, and ${position} is asked for.`,
    );
  }
}
