import { farApartMs } from "../../../events/foldedClock.js";
import { ClockBehind } from "../../../shared/engineUnavailable.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import type { EncodedEvent } from "./appendMessage.js";

type Timed = readonly [position: number, at: string | null];

/**
 * Gives events times that rise with the log: an event of a clock that is a little behind gets the time of the event
 * before. One that is far behind is refused, unless the log has jumped from about that time: then the clock was far
 * ahead meanwhile, and the time is right again (`src/events/foldedClock.ts` reads it so).
 */
export class RisingTimes {
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

  /** Goes on from the newest event, whoever wrote it. To be called in each transaction. */
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
