import type { DomainEvent } from "../src/events/domainEvent.js";
import type { Result } from "../src/shared/result.js";
import type { Rejection } from "./rejection.js";

/** What follows from a command: events, none where what is asked for is so already, or why it is refused. */
export type Decision<Event extends DomainEvent> = Result<readonly Event[], Rejection>;

/** How the events of one stream become the state that commands are decided on. Everything in it is pure. */
export interface Aggregate<State, Event extends DomainEvent> {
  initialState(): State;
  /** May change the state it is given and return it: whoever calls gives the state away. */
  evolve(state: State, event: Event): State;
  /**
   * Takes back the newest event that {@link evolve} applied. Where it is there, commands that wait for the same stream
   * are decided one on top of the other and share an append; else each has an append of its own.
   */
  retract?(state: State, event: Event): State;
  /** How much of the cache the state takes; about one per thing it remembers. */
  weigh(state: State): number;
  /** True where the newest event alone is the state: then nothing else is read, and nothing is cached. */
  readonly latestKnownEvent?: boolean;
}
