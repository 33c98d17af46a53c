import { LRUCache } from "lru-cache";
import type { DomainEvent } from "../src/events/domainEvent.js";
import type { StreamName } from "../src/events/streams.js";
import type { Position, Revision } from "../src/shared/position.js";
import type { Aggregate } from "./aggregate.js";
import type { EventLog } from "./ports.js";

/** A stream's state as of one of its events. */
export interface Snapshot<State> {
  readonly state: State;
  /** Of the newest event that is folded in; -1 where the stream is empty. */
  readonly revision: Revision;
  /** Of the same event; null where the stream is empty. */
  readonly position: Position | null;
}

/** What a stream is before its first event. */
export const emptyStream = <State, Event extends DomainEvent>(aggregate: Aggregate<State, Event>): Snapshot<State> => ({
  state: aggregate.initialState(),
  revision: -1,
  position: null,
});

/** What a stream comes to, to be evolved by whoever asks, where somebody has folded it already; null: read it. */
export type FoldedAhead = (stream: StreamName) => Promise<Snapshot<unknown> | null>;

/** About 100 bytes each. */
const cacheWeight = 1_000_000;
/** However large a state is, others must fit beside it. */
const largestWeight = cacheWeight / 4;
/**
 * A long stream is read and folded in parts, so that it is never held as events whole; the log gives the event loop its
 * turns.
 */
const eventsPerRead = 1_024;

/**
 * Folded streams, the most recently used ones kept in memory. A load always reads on from what is kept, so that events
 * of other processes are seen; that costs a point read.
 */
export class StreamStates {
  private readonly cache = new LRUCache<StreamName, Snapshot<unknown>>({ maxSize: cacheWeight });

  constructor(
    private readonly log: EventLog,
    private readonly preloadedState: FoldedAhead = () => Promise.resolve(null),
  ) {}

  /** The state as of now. */
  async load<State, Event extends DomainEvent>(
    aggregate: Aggregate<State, Event>,
    stream: StreamName,
  ): Promise<Snapshot<State>> {
    if (aggregate.latestKnownEvent === true) return this.loadLast(aggregate, stream);
    let snapshot = await this.known(aggregate, stream);
    for (;;) {
      const events = await this.log.readStream(stream, snapshot.revision + 1, eventsPerRead);
      const newest = events.at(-1);
      if (newest !== undefined) {
        // A state that evolves in place must not be found half-way under its old revision.
        this.forget(stream);
        const state = events.reduce((before, { event }) => aggregate.evolve(before, event as Event), snapshot.state);
        snapshot = this.remember(aggregate, stream, { state, revision: newest.revision, position: newest.position });
      }
      if (events.length < eventsPerRead) return snapshot;
    }
  }

  /** Keeps what an append led to. */
  remember<State, Event extends DomainEvent>(
    aggregate: Aggregate<State, Event>,
    stream: StreamName,
    snapshot: Snapshot<State>,
  ): Snapshot<State> {
    if (aggregate.latestKnownEvent === true) return snapshot;
    this.cache.set(stream, snapshot, { size: Math.min(Math.max(1, aggregate.weigh(snapshot.state)), largestWeight) });
    return snapshot;
  }

  /** The next load reads the stream from its beginning. */
  forget(stream: StreamName): void {
    this.cache.delete(stream);
  }

  private async known<State, Event extends DomainEvent>(
    aggregate: Aggregate<State, Event>,
    stream: StreamName,
  ): Promise<Snapshot<State>> {
    const cached = this.cache.get(stream) ?? (await this.preloadedState(stream));
    return cached === null ? emptyStream(aggregate) : (cached as Snapshot<State>);
  }

  private async loadLast<State, Event extends DomainEvent>(
    aggregate: Aggregate<State, Event>,
    stream: StreamName,
  ): Promise<Snapshot<State>> {
    const last = await this.log.readLast(stream);
    const empty = emptyStream(aggregate);
    if (last === null) return empty;
    return {
      state: aggregate.evolve(empty.state, last.event as Event),
      revision: last.revision,
      position: last.position,
    };
  }
}
