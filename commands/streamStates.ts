import { LRUCache } from "lru-cache";
import type { DomainEvent } from "../src/events/domainEvent.js";
import type { StreamName } from "../src/events/streams.js";
import type { Position, Revision } from "../src/shared/position.js";
import type { Aggregate } from "./aggregate.js";
import type { EventLog } from "./ports.js";

/** A stream's state as of one of its events. */
export interface Snapshot<State> {
  readonly state: State;
  /** The revision of the newest event that is folded in; -1 for an empty stream. */
  readonly revision: Revision;
  /** The position of the same event; null for an empty stream. */
  readonly position: Position | null;
}

/** What a stream is before its first event. */
export const emptyStream = <State, Event extends DomainEvent>(aggregate: Aggregate<State, Event>): Snapshot<State> => ({
  state: aggregate.initialState(),
  revision: -1,
  position: null,
});

/** The state of a stream that was folded elsewhere already; null: read it from the log. The caller may evolve it. */
export type PreloadedState = (stream: StreamName) => Promise<Snapshot<unknown> | null>;

/** About 100 bytes per unit of cost. */
const cacheSize = 1_000_000;
/** The most that one state counts for, so that others fit beside it however large it is. */
const maxCost = cacheSize / 4;
/** A long stream is read and folded in parts, so that its events are never in memory all at once. */
const eventsPerRead = 1_024;

/**
 * Folded streams; the most recently used ones are kept in memory. A load always reads on from what is kept, at the cost
 * of a point read, so that it sees the events of other processes.
 */
export class StreamStates {
  private readonly cache = new LRUCache<StreamName, Snapshot<unknown>>({ maxSize: cacheSize });

  constructor(
    private readonly log: EventLog,
    private readonly preloadedState: PreloadedState = () => Promise.resolve(null),
  ) {}

  /** The state as of now. */
  async load<State, Event extends DomainEvent>(
    aggregate: Aggregate<State, Event>,
    stream: StreamName,
  ): Promise<Snapshot<State>> {
    if (aggregate.latestKnownEvent === true) return this.loadLast(aggregate, stream);
    let snapshot = await this.known(aggregate, stream);
    for (;;) {
      const events = await this.log.readEvents(stream, snapshot.revision + 1, eventsPerRead);
      const newest = events.at(-1);
      if (newest !== undefined) {
        // A state that evolves in place must not be found half-evolved under its old revision.
        this.forget(stream);
        const state = events.reduce(
          (before, { event, position }) => aggregate.evolve(before, event as Event, position),
          snapshot.state,
        );
        snapshot = this.remember(aggregate, stream, { state, revision: newest.revision, position: newest.position });
      }
      if (events.length < eventsPerRead) return snapshot;
    }
  }

  /** Keeps the state after an append. */
  remember<State, Event extends DomainEvent>(
    aggregate: Aggregate<State, Event>,
    stream: StreamName,
    snapshot: Snapshot<State>,
  ): Snapshot<State> {
    if (aggregate.latestKnownEvent === true) return snapshot;
    this.cache.set(stream, snapshot, { size: Math.min(Math.max(1, aggregate.cacheCost(snapshot.state)), maxCost) });
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
      state: aggregate.evolve(empty.state, last.event as Event, last.position),
      revision: last.revision,
      position: last.position,
    };
  }
}
