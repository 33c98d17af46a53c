import {
  type RecordedEvent as StoredRecord,
  streamNameFilter,
  eventTypeFilter,
  type AllStreamResolvedEvent,
  type AllStreamSubscription,
} from "@eventstore/db-client";
import type { EngineUnavailable } from "../../../../projections/ports.js";
import { delay } from "../../../shared/waiting.js";
import { beginning, type Position, toPosition } from "../../../shared/position.js";
import { batchingDelay } from "../batchingDelay.js";
import { Connection, type ConnectionOptions } from "./connection.js";
import { isAccessDenied, isForeignPosition, reasonOf } from "./failures.js";
import { positionOf } from "./storedEvents.js";
import { readAt, readEnd, fromPosition } from "./streamReads.js";

/** A stretch of the log, with all events in it that matched. */
interface LogBatch {
  readonly records: readonly StoredRecord[];
  readonly position: Position;
  /** How many events the stretch passes over, as far as the server told. */
  readonly moves: number;
  readonly caughtUp: boolean;
}

interface Following {
  readonly connection: ConnectionOptions;
  readonly filter: LogFilter;
  /** Exclusive. */
  readonly after: Position;
  readonly maxBatchSize: number;
  /** The log is known to have come this far: a server whose log has not is not followed. */
  readonly atLeast?: Position;
  /** Whether the events of a busy log may gather a little longer. */
  readonly batches: boolean;
  readonly signal: AbortSignal;
}

/** While catching up, the server tells how far it is after this many events. */
export const catchUpWindow = 1_000;

/**
 * While live, it tells so after each event: an answer may wait until this subscription has passed an event that does
 * not concern it.
 */
const liveWindow = 1;

const defaultPatienceMs = 15_000;
const firstPauseMs = 50;
const longestPauseMs = 1_000;
/** While catching up, a batch that is not full after this long is delivered as it is. */
const fillingMs = 100;

const idleMs = 60_000;

/**
 * Delivers what matches, in order, until the signal aborts. Where the connection is lost, it subscribes again from the
 * last delivered position. An empty batch tells that the position moved on, and the first empty batch that the end was
 * reached.
 */
export async function* followLog(following: Following): AsyncGenerator<LogBatch, void, void> {
  const { signal, connection: options } = following;
  if (signal.aborted) return;
  const connection = new Connection(options);
  const stretches = new Stretches(connection, following);
  const outage = new Outage(options.patienceMs ?? defaultPatienceMs);
  try {
    while (!signal.aborted) yield* uninterrupted(stretches, outage, connection, signal);
  } finally {
    await connection.close();
  }
}

/** Ends after a failure that was waited out. */
async function* uninterrupted(
  stretches: Stretches,
  outage: Outage,
  connection: Connection,
  signal: AbortSignal,
): AsyncGenerator<LogBatch, void, void> {
  try {
    for await (const batch of stretches.follow()) {
      outage.end();
      yield batch;
    }
  } catch (error) {
    if (signal.aborted) return;
    stretches.refuse(error);
    await outage.waitOrThrow(signal, () => connection.unavailable("A subscription to the event log", error));
  }
}

/** The subscriptions that follow one another: through the past with large windows, then live. */
class Stretches {
  private position: Position;
  private isLive = false;
  /** Where the newest event stood when this subscription began. */
  private end: Position = beginning;
  /** True once it has told of an event beyond. */
  private isBeyondEnd = false;
  /** True once the end of the log was reached and a batch has said so. */
  private wasCaughtUp = false;

  constructor(
    private readonly connection: Connection,
    private readonly following: Following,
  ) {
    this.position = following.after;
  }

  /** Ends where the next subscription has to be of the other kind. */
  async *follow(): AsyncGenerator<LogBatch, void, void> {
    const { filter, maxBatchSize, signal } = this.following;
    await this.refuseBeyondEnd();
    const window = this.isLive ? liveWindow : catchUpWindow;
    const subscription = new LogSubscription(this.connection, {
      after: this.position,
      filter,
      window,
      capacity: 2 * maxBatchSize,
    });
    try {
      while (!signal.aborted && !this.isOfTheOtherKind(subscription)) {
        const batch = await this.nextBatch(subscription);
        if (batch === null) continue;
        this.position = batch.position;
        this.wasCaughtUp ||= batch.caughtUp;
        yield batch;
        if (batch.caughtUp) await this.gather(subscription, batch);
      }
      this.isLive = !this.isLive;
    } finally {
      await subscription.close();
    }
  }

  /**
   * With large windows the last checkpoint lies somewhat before the end. The live subscription starts there and tells
   * the exact end. It goes through the past four times as slowly, so a reader that falls behind goes back to large
   * windows.
   */
  private isOfTheOtherKind(subscription: LogSubscription): boolean {
    return this.isLive ? subscription.wasPaused : subscription.isLive;
  }

  /** Rethrows what no further attempt will cure, as a sentence that says what to do. */
  refuse(error: unknown): void {
    if (error instanceof ForeignLog) throw error;
    if (isForeignPosition(error)) throw new ForeignLog(this.foreign("no event of its log stands there"));
    if (isAccessDenied(error))
      throw new Error(`A subscription to the event log was refused: ${reasonOf(error)}.`, { cause: error });
  }

  /** Null where there is nothing to report yet. */
  private async nextBatch(subscription: LogSubscription): Promise<LogBatch | null> {
    const { maxBatchSize, signal } = this.following;
    const hasNews = (): boolean => subscription.hasMoved || (subscription.isLive && !this.wasCaughtUp);
    await subscription.until(
      () => hasNews() || (subscription.isLive && !this.isLive) || subscription.failure !== null,
      idleMs,
      signal,
    );
    const isFilled = (): boolean =>
      subscription.isLive || subscription.eventCount > maxBatchSize || subscription.failure !== null;
    await subscription.until(isFilled, fillingMs, signal);
    if (signal.aborted || (!this.isLive && subscription.isLive)) return null;
    if (!hasNews()) {
      if (subscription.failure !== null) throw subscription.failure.error;
      return null;
    }
    const stretch = subscription.take(maxBatchSize);
    const { records, moves } = stretch;
    const position = await this.passed(stretch);
    return { records, position, moves, caughtUp: subscription.isLive && subscription.eventCount === 0 };
  }

  /**
   * How far the log was followed. A subscription also gives positions where no event stands: that of the record with
   * which a server begins that was started or elected, and, with KurrentDB 25.0.0, that of the event that comes next. A
   * reader who looks for an event at the first finds that the log ends before, and a reader who goes on from the second
   * misses that event. So a position beyond the newest known event is looked up, and where no event stands the newest
   * known event's position is returned instead.
   */
  private async passed({ position, records, isOfEvent }: Stretch): Promise<Position> {
    if (position <= this.end || position <= this.position || (isOfEvent && this.isBeyondEnd)) return position;
    const last = records.at(-1);
    const delivered = last === undefined ? beginning : positionOf(last);
    const isPassed = delivered === position || (await this.isOfOthers(position));
    this.isBeyondEnd ||= isPassed;
    if (isPassed) return position;
    return [this.position, delivered].reduce((newest, other) => (other > newest ? other : newest), this.end);
  }

  /** Whether an event stands at the position, and is none that is followed. */
  private async isOfOthers(position: Position): Promise<boolean> {
    const event = await readAt(this.connection, position);
    return event !== null && !matches(this.following.filter, event);
  }

  private async gather(subscription: LogSubscription, { records, moves }: LogBatch): Promise<void> {
    const ms = batchingDelay({ passed: moves, events: records.length }, this.following.batches);
    await subscription.until(() => subscription.eventCount > this.following.maxBatchSize, ms, this.following.signal);
  }

  /** The server accepts a position beyond its end silently, and would skip everything until the log gets there. */
  private async refuseBeyondEnd(): Promise<void> {
    const end = await readEnd(this.connection);
    this.end = end;
    this.isBeyondEnd = false;
    const { atLeast = beginning } = this.following;
    if (end < atLeast) throw new Error(`its log ends at ${end}, before position ${atLeast}`);
    if (this.position > end) throw new ForeignLog(this.foreign(`its log ends at ${end}`));
  }

  private foreign(why: string): string {
    return `A projection stands at position ${this.position} of the event store at ${this.connection.target.hosts}, but ${why}: the log was replaced by another or older copy. Delete the read models so that they are rebuilt from it.`;
  }
}

function matches(filter: LogFilter, { streamId, type }: StoredRecord): boolean {
  const [name, prefixes] = "eventTypes" in filter ? [type, filter.eventTypes] : [streamId, filter.streamPrefixes];
  return prefixes.some((prefix) => name.startsWith(prefix));
}

/** The position belongs to another log. */
class ForeignLog extends Error {}

/** How long the server has been away. */
class Outage {
  private since: number | null = null;
  private pauseMs = firstPauseMs;

  constructor(private readonly patienceMs: number) {}

  end(): void {
    this.since = null;
    this.pauseMs = firstPauseMs;
  }

  async waitOrThrow(signal: AbortSignal, failure: () => EngineUnavailable): Promise<void> {
    this.since ??= performance.now();
    if (performance.now() - this.since >= this.patienceMs) throw failure();
    await delay(this.pauseMs, signal);
    this.pauseMs = Math.min(this.pauseMs * 2, longestPauseMs);
  }
}

const nobodyWaits = (): void => undefined;

/** Which events the server is to send. */
type LogFilter = { readonly streamPrefixes: readonly string[] } | { readonly eventTypes: readonly string[] };

interface LogSubscriptionRequest {
  /** Exclusive. */
  readonly after: Position;
  readonly filter: LogFilter;
  /** After this many events, matching or not, the server says how far it is. */
  readonly window: number;
  /** Holds no more than about this many events. */
  readonly capacity: number;
}

/** What a checkpoint says. Both are equal for an event that was passed, and differ for a place where a page began. */
interface Told {
  readonly commit: bigint;
  readonly prepare: bigint;
}

/** The events that were taken from a subscription at once. */
interface Stretch {
  readonly records: readonly StoredRecord[];
  readonly position: Position;
  /** How many events the stretch passes over, as far as the server told. */
  readonly moves: number;
  /** Whether the server told the position as that of an event. */
  readonly isOfEvent: boolean;
}

/**
 * One subscription of the client to `$all`, as a queue in log order. The client reports events and checkpoints on
 * different ways. A checkpoint counts only once every event before it was handed over, and that is why its callback
 * waits. Nothing here throws into the client, which would end the process.
 */
export class LogSubscription {
  private readonly subscription: AllStreamSubscription;
  private readonly capacity: number;
  private records: { readonly record: StoredRecord; readonly position: Position }[] = [];
  /** How far the subscription has come, queued events included. */
  private position: Position;
  private isOfEvent = true;
  private moves = 0;
  private caughtUpNext = false;
  private awaited: { readonly told: Told; resolve(): void } | null = null;
  private closed = false;
  private wake = nobodyWaits;

  /** True once the end of the log was reached: what comes from now on is new. */
  isLive = false;
  /** Set once the subscription has ended; it ends only by an error. */
  failure: { readonly error: unknown } | null = null;
  /** True where the reader was slower than the server. */
  wasPaused = false;

  constructor(connection: Connection, { after, filter, window, capacity }: LogSubscriptionRequest) {
    this.position = after;
    this.capacity = capacity;
    // A checkpoint per window: many events in the past, one live, where an answer may wait for a projection to pass an
    // event that does not concern it.
    const windows = {
      maxSearchWindow: window,
      checkpointInterval: 1,
      checkpointReached: (_: unknown, at: Told) => this.onCheckpoint(at),
    };
    this.subscription = connection.client.subscribeToAll({
      ...connection.callOptions,
      fromPosition: fromPosition(after),
      filter:
        "streamPrefixes" in filter
          ? streamNameFilter({ prefixes: [...filter.streamPrefixes], ...windows })
          : eventTypeFilter({ prefixes: [...filter.eventTypes], ...windows }),
    });
    // The listener stays after the end: an error event without a listener would end the process.
    this.subscription.on("error", (error: unknown) => this.fail(error));
    this.subscription.on("close", () => this.fail(new Error("the event store ended the subscription")));
    this.subscription.on("end", () => this.fail(new Error("the event store ended the subscription")));
    this.subscription.on("caughtUp", () => this.onCaughtUp());
    this.subscription.on("data", (resolved: AllStreamResolvedEvent) => this.onEvent(resolved));
  }

  get eventCount(): number {
    return this.records.length;
  }

  get hasMoved(): boolean {
    return this.moves > 0;
  }

  /**
   * Resolves when the condition holds, the signal aborts, or this much time has passed. Cheap for each event in
   * between.
   */
  until(condition: () => boolean, withinMs: number, signal: AbortSignal): Promise<void> {
    if (condition() || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", done);
        this.wake = nobodyWaits;
        resolve();
      };
      const timer = setTimeout(done, withinMs);
      signal.addEventListener("abort", done);
      this.wake = () => {
        if (condition()) done();
      };
    });
  }

  /** Takes at most this many events, and says how far they lead. */
  take(limit: number): Stretch {
    const taken = this.records.splice(0, limit);
    const moves = this.records.length === 0 ? this.moves : taken.length;
    this.moves -= moves;
    if (this.records.length <= this.capacity / 2 && this.subscription.isPaused()) this.subscription.resume();
    const isWhole = this.records.length === 0;
    const position = isWhole ? this.position : (taken.at(-1)?.position ?? this.position);
    return { records: taken.map(({ record }) => record), position, moves, isOfEvent: !isWhole || this.isOfEvent };
  }

  /** Makes the server stop sending. Never throws. */
  async close(): Promise<void> {
    this.closed = true;
    this.awaited?.resolve();
    this.awaited = null;
    await this.subscription.unsubscribe().catch(() => undefined);
    this.subscription.destroy();
  }

  private onEvent({ event, commitPosition }: AllStreamResolvedEvent): void {
    if (this.closed || event === undefined) return;
    const position = toPosition(commitPosition ?? event.position.commit);
    this.records.push({ record: event as StoredRecord, position });
    // It is news also where a checkpoint told its place before it came.
    this.position = position;
    this.isOfEvent = true;
    this.moves++;
    if (this.records.length >= this.capacity && !this.subscription.isPaused()) {
      this.wasPaused = true;
      this.subscription.pause();
    }
    if (this.subscription.readableLength === 0) this.onDrained();
    this.wake();
  }

  private onCheckpoint(told: Told): Promise<void> {
    if (this.closed || this.subscription.readableLength === 0) {
      this.advance(told);
      this.wake();
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      this.awaited = { told, resolve };
    });
  }

  private onCaughtUp(): void {
    this.caughtUpNext = true;
    if (this.subscription.readableLength === 0) this.onDrained();
  }

  /** Called when everything that the client held back was handed over. */
  private onDrained(): void {
    if (this.awaited !== null) {
      this.advance(this.awaited.told);
      this.awaited.resolve();
      this.awaited = null;
    }
    if (this.caughtUpNext) this.isLive = true;
    this.wake();
  }

  private advance({ commit, prepare }: Told): void {
    const position = toPosition(commit);
    const isOfEvent = prepare === commit;
    // A position that was given before counts again only where an event now stands there.
    if (position < this.position || (position === this.position && (this.isOfEvent || !isOfEvent))) return;
    this.position = position;
    this.isOfEvent = isOfEvent;
    this.moves++;
  }

  private fail(error: unknown): void {
    if (this.closed || this.failure !== null) return;
    this.failure = { error };
    this.wake();
  }
}
