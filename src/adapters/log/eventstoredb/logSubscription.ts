import {
  streamNameFilter,
  eventTypeFilter,
  type AllStreamResolvedEvent,
  type AllStreamSubscription,
  type RecordedEvent as StoredRecord,
} from "@eventstore/db-client";
import { toPosition, type Position } from "../../../shared/position.js";
import type { Connection } from "./connection.js";
import { fromPosition } from "./streamReads.js";

const nobodyWaits = (): void => undefined;

/** Which events the server is to send. */
export type LogFilter = { readonly streamPrefixes: readonly string[] } | { readonly eventTypes: readonly string[] };

export interface LogSubscriptionRequest {
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
export interface Stretch {
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
    // Of a place that was told before, it is news that an event stands there.
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
